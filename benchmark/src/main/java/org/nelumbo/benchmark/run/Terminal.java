package org.nelumbo.benchmark.run;

import java.sql.SQLException;

/** A client that draws transactions and runs them on its connection. Used by one thread. */
public interface Terminal extends AutoCloseable {
  /** Draws the next transaction with all its inputs; returns the index of its type. */
  int draw();

  /**
   * Runs the transaction drawn last, to its commit or rollback. Called again with the same inputs
   * after a conflict, after the caller has rolled back.
   */
  Outcome execute() throws SQLException;

  /** Returns the time that the user types before the transaction starts, in nanoseconds. */
  default long keyingNanos() {
    return 0;
  }

  /** Returns the time that the user thinks after the transaction, in nanoseconds. */
  default long thinkNanos() {
    return 0;
  }

  /** Closes the statements. The connection belongs to the caller. */
  @Override
  void close() throws SQLException;
}
