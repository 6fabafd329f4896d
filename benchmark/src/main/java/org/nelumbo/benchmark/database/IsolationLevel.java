package org.nelumbo.benchmark.database;

import java.sql.Connection;

/**
 * The isolation levels that a benchmark can request. The dialect describes the guarantees of each
 * level in a product.
 */
public enum IsolationLevel {
  SERIALIZABLE("serializable", Connection.TRANSACTION_SERIALIZABLE),
  SNAPSHOT("snapshot", Connection.TRANSACTION_REPEATABLE_READ),
  REPEATABLE_READ("repeatable-read", Connection.TRANSACTION_REPEATABLE_READ),
  READ_COMMITTED("read-committed", Connection.TRANSACTION_READ_COMMITTED);

  private final String optionName;
  private final int jdbcLevel;

  IsolationLevel(String optionName, int jdbcLevel) {
    this.optionName = optionName;
    this.jdbcLevel = jdbcLevel;
  }

  /** Returns the name on the command line and in reports. */
  public String optionName() {
    return optionName;
  }

  /** Returns the constant of {@link Connection} for this level, which a dialect may override. */
  int jdbcLevel() {
    return jdbcLevel;
  }

  @Override
  public String toString() {
    return optionName;
  }
}
