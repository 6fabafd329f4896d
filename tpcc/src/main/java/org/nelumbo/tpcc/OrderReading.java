package org.nelumbo.tpcc;

import org.nelumbo.benchmark.database.Dialect;

/** The ways in which New-Order reads items and stock of its lines through JDBC. */
enum OrderReading {
  /** As is faster with the product. */
  AUTO,
  /** Two statements for each line. */
  SINGLE,
  /** One statement for all items, one for all rows of stock. */
  TOGETHER;

  boolean isTogether(Dialect dialect) {
    return this == TOGETHER || (this == AUTO && dialect.findsListsByKey());
  }
}
