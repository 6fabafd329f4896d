package org.nelumbo.executor.row;

import org.nelumbo.types.ColumnType;

/**
 * A column of a table.
 *
 * @param defaultText SQL text of the default value, null if none; the planner gives it meaning
 * @param identity whether values are generated when not given
 * @param hidden whether {@code SELECT *} leaves it out: the generated key of a table without
 *     primary key
 */
public record Column(
    String name, ColumnType type, String defaultText, boolean identity, boolean hidden) {
  public Column(String name, ColumnType type) {
    this(name, type, null, false, false);
  }
}
