/**
 * Calcite types, their mapping to {@link org.nelumbo.types.ColumnType}, and {@link
 * org.nelumbo.planner.type.SqlErrors}, which converts Calcite's messages to Nelumbo's, with
 * SQLState, position and advice.
 */
package org.nelumbo.planner.type;
