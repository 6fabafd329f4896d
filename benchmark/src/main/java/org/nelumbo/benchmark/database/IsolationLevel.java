package org.nelumbo.benchmark.database;

import java.sql.Connection;

/** The isolation levels a benchmark can ask for. What a product makes of them is in its dialect. */
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

  /** The name on the command line and in reports. */
  public String optionName() {
    return optionName;
  }

  /** The constant of {@link Connection} that stands for this level unless the dialect differs. */
  int jdbcLevel() {
    return jdbcLevel;
  }

  @Override
  public String toString() {
    return optionName;
  }
}
