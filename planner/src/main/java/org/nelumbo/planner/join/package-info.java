/**
 * Joins: the order of inner joins, join conditions, and the cost-based choice between hash joins
 * and lookups by key.
 */
package org.nelumbo.planner.join;
