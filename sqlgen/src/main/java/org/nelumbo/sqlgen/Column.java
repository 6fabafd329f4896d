package org.nelumbo.sqlgen;

/**
 * A column of a generated table.
 *
 * @param generation what it is computed from; null if it is a column like others
 */
record Column(String name, DataType type, boolean nullable, String generation) {
  Column(String name, DataType type, boolean nullable) {
    this(name, type, nullable, null);
  }
}
