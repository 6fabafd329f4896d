package org.nelumbo.session;

import org.nelumbo.types.ColumnType;

/**
 * A column of a result.
 *
 * @param label name given with AS, or else {@code name}
 * @param name name of the column in its table, or else the label
 * @param table table of the column, empty for an expression
 * @param schema schema of that table, empty for an expression
 * @param type type of the values; its {@code nullable} tells whether NULL can occur
 * @param identity true if the engine generates the values
 */
public record ResultColumn(
    String label, String name, String table, String schema, ColumnType type, boolean identity) {
  /** Creates a column that does not belong to a table. */
  public static ResultColumn ofExpression(String label, ColumnType type) {
    return new ResultColumn(label, label, "", "", type, false);
  }
}
