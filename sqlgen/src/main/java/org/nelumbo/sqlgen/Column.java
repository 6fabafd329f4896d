package org.nelumbo.sqlgen;

/**
 * A column of a generated table.
 *
 * @param generation generation expression; null for an ordinary column
 */
record Column(String name, DataType type, boolean nullable, String generation) {
  Column(String name, DataType type, boolean nullable) {
    this(name, type, nullable, null);
  }
}
