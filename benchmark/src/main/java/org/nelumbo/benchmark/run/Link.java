package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A terminal's access to the database: a connection of its own, or one taken from a pool for each
 * transaction. Used by the terminal's thread, except for {@link #abort}.
 */
public interface Link extends AutoCloseable {
  /**
   * Returns the connection on which the terminal prepares its statements. It is the same object for
   * the lifetime of the link.
   */
  Connection connection();

  /** Called when an attempt begins. */
  void begin() throws SQLException;

  /** Called when an attempt has ended with a commit or rollback by the terminal. */
  void end() throws SQLException;

  /** Rolls back a failed attempt. */
  void rollback() throws SQLException;

  /** Breaks the connection from another thread, so that a blocked call returns. */
  void abort();

  @Override
  void close() throws SQLException;
}
