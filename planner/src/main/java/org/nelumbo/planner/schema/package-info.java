/**
 * The catalog as schemas and tables of Calcite, with the defaults of columns. {@link
 * org.nelumbo.planner.schema.RowEstimates} estimates the sizes of tables.
 */
package org.nelumbo.planner.schema;
