package org.nelumbo.session;

import org.nelumbo.types.ColumnType;

/**
 * A column of a result.
 *
 * @param label the name given with AS, else the name
 * @param name the column's name in its table, else the label
 * @param table the table the column comes from, empty for an expression
 * @param schema the schema of that table, empty for an expression
 * @param type its type; {@code nullable} says whether NULL can occur
 * @param identity whether the engine generates its values
 */
public record ResultColumn(
    String label, String name, String table, String schema, ColumnType type, boolean identity) {
  /** A column that comes from no table. */
  public static ResultColumn ofExpression(String label, ColumnType type) {
    return new ResultColumn(label, label, "", "", type, false);
  }
}
