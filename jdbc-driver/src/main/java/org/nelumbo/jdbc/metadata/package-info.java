/**
 * {@code DatabaseMetaData}: what is the same for all databases, and what the catalog of one
 * contains.
 */
package org.nelumbo.jdbc.metadata;
