package org.nelumbo.sqlgen;

/** A table in a FROM clause, with an alias. */
record Source(Table table, String alias) {
  @Override
  public String toString() {
    return table.name + " " + alias;
  }
}
