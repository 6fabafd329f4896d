package org.nelumbo.sqlgen;

/** A type of columns and expressions. */
enum DataType {
  INTEGER("INTEGER"),
  BIGINT("BIGINT"),
  DECIMAL("DECIMAL(10, 2)"),
  DOUBLE("DOUBLE PRECISION"),
  VARCHAR("VARCHAR(8)"),
  BOOLEAN("BOOLEAN"),
  DATE("DATE"),
  TIMESTAMP("TIMESTAMP"),
  INSTANT("TIMESTAMP WITH TIME ZONE"),
  UUID("UUID"),
  INTERVAL("INTERVAL DAY TO SECOND");

  private final String sqlName;

  DataType(String sqlName) {
    this.sqlName = sqlName;
  }

  String sqlName() {
    return sqlName;
  }

  boolean isNumeric() {
    return ordinal() <= DOUBLE.ordinal();
  }
}
