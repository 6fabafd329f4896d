/**
 * Types as Calcite sees them, their mapping to {@link org.nelumbo.types.ColumnType}, and {@link
 * org.nelumbo.planner.type.SqlErrors}, which turns Calcite's messages into ours, with SQLState,
 * place and advice.
 */
package org.nelumbo.planner.type;
