package org.nelumbo.executor.row;

import org.nelumbo.types.ColumnType;

/**
 * A column of a table.
 *
 * @param defaultText SQL text of the default value, or null; interpreted by the planner
 * @param identity true if the engine generates values that are not given
 * @param hidden true if {@code SELECT *} omits the column: the generated key of a table without a
 *     primary key
 */
public record Column(
    String name, ColumnType type, String defaultText, boolean identity, boolean hidden) {
  /** Creates a visible column without a default value. */
  public Column(String name, ColumnType type) {
    this(name, type, null, false, false);
  }
}
