package org.nelumbo.tpcc;

import org.nelumbo.benchmark.database.Dialect;

/** The ways in which New-Order reads the items and the stock of its lines through JDBC. */
enum OrderReading {
  /** The faster way for the product. */
  AUTO,
  /** Two statements for each line. */
  SINGLE,
  /** One statement for all items, and one for all rows of stock. */
  TOGETHER;

  boolean isTogether(Dialect dialect) {
    return this == TOGETHER || (this == AUTO && dialect.findsListsByKey());
  }
}
