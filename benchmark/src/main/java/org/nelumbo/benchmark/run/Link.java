package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A terminal's way to the database: a connection of its own, or one taken from a pool for each
 * transaction. Used by the terminal's thread, but for {@link #abort}.
 */
public interface Link extends AutoCloseable {
  /** What the terminal prepares its statements on; the same object for the life of the link. */
  Connection connection();

  /** A try begins. */
  void begin() throws SQLException;

  /** A try has ended with a commit or a rollback of the terminal's own. */
  void end() throws SQLException;

  /** A try has failed: rolls back what it left. */
  void rollback() throws SQLException;

  /** Breaks the connection from outside, so that a thread stuck in a call comes back. */
  void abort();

  @Override
  void close() throws SQLException;
}
