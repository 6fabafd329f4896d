package org.nelumbo.benchmark.run;

import java.sql.SQLException;

/** One client: draws transactions and runs them on its connection. Used by one thread. */
public interface Terminal extends AutoCloseable {
  /** Draws the next transaction with all its inputs; returns the index of its type. */
  int draw();

  /**
   * Runs the transaction drawn last, to its commit or rollback. Called again with the same inputs
   * after a conflict; the caller has rolled back before that.
   */
  Outcome execute() throws SQLException;

  /** How long the user types before the transaction starts, in nanoseconds. */
  default long keyingNanos() {
    return 0;
  }

  /** How long the user thinks after the transaction, in nanoseconds. */
  default long thinkNanos() {
    return 0;
  }

  /** Closes the statements; the connection belongs to the caller. */
  @Override
  void close() throws SQLException;
}
