/**
 * {@code DatabaseMetaData}: facts that are equal for all databases, and results from the catalog of
 * a database.
 */
package org.nelumbo.jdbc.metadata;
