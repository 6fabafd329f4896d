package org.nelumbo.benchmark.terminal;

import java.sql.SQLException;
import org.nelumbo.benchmark.cost.Cost;

/**
 * The session that runs the transactions of a terminal: the statements of a connection, or a native
 * session.
 */
public interface TerminalSession extends AutoCloseable {
  /** Returns the cost that the session has caused; only for sessions that count it. */
  Cost cost() throws SQLException;

  /** Releases all resources except the connection. */
  @Override
  void close() throws SQLException;
}
