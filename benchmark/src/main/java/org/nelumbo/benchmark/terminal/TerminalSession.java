package org.nelumbo.benchmark.terminal;

import java.sql.SQLException;
import org.nelumbo.benchmark.cost.Cost;

/**
 * The session that the transactions of a terminal run on: a connection's statements, or a native
 * session.
 */
public interface TerminalSession extends AutoCloseable {
  /** What the session has asked of the memory pool; only for sessions that count it. */
  Cost cost() throws SQLException;

  /** Gives everything back but the connection. */
  @Override
  void close() throws SQLException;
}
