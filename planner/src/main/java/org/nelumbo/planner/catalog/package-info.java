/**
 * What tables, indexes and schemas there are: the catalogue, how it is kept in the pool, and how
 * readers see it.
 */
package org.nelumbo.planner.catalog;
