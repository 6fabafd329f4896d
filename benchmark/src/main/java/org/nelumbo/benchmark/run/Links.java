package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.database.Database;

/** Creates the links of a run's terminals. Called by their threads. */
public interface Links extends AutoCloseable {
  /** Opens a new link, which is connected. */
  Link open() throws SQLException;

  @Override
  default void close() {}

  /** Creates links that each hold a connection of their own. */
  static Links plain(Database database) {
    return () -> new Plain(database.connect());
  }

  /** A link with the same connection for its lifetime. */
  record Plain(Connection connection) implements Link {
    @Override
    public void begin() {}

    @Override
    public void end() {}

    @Override
    public void rollback() throws SQLException {
      connection.rollback();
    }

    @Override
    public void abort() {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException ignored) {
        // nothing more can be done for this connection
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
