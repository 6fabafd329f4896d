package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.database.Database;

/** Makes the links of a run's terminals; called by their threads. */
public interface Links extends AutoCloseable {
  /** A new link, connected. */
  Link open() throws SQLException;

  @Override
  default void close() {}

  /** Links that hold a connection of their own. */
  static Links plain(Database database) {
    return () -> new Plain(database.connect());
  }

  /** A connection for life. */
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
