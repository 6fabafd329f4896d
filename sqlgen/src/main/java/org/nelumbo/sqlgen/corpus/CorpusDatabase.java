package org.nelumbo.sqlgen.corpus;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An initially empty database, with a session for each name. {@link #close} shuts an in-memory
 * database down.
 */
final class CorpusDatabase implements AutoCloseable {
  /** A function that opens connections. */
  @FunctionalInterface
  interface Opening {
    Connection open(String url) throws SQLException;
  }

  /**
   * Timeout of a query: some databases never end a recursion of which only the first rows are
   * fetched.
   */
  private static final int SECONDS_MAX = 5;

  private final String url;
  private final Opening opening;
  private final Map<String, Statement> sessions = new LinkedHashMap<>();

  /** Opens a database, and empties it if it is a PostgreSQL database. */
  CorpusDatabase(String url, Opening opening) throws SQLException {
    this.url = url;
    this.opening = opening;
    if (product(url).equals("postgresql")) {
      runOnce(List.of("DROP SCHEMA public CASCADE", "CREATE SCHEMA public"));
    }
  }

  /** Returns the name of the database system in a URL. */
  static String product(String url) {
    return url.split(":", -1)[1];
  }

  /** Returns the statement of a session. */
  Statement session(String name) throws SQLException {
    Statement known = sessions.get(name);
    if (known == null) {
      known = opening.open(url).createStatement();
      known.setQueryTimeout(SECONDS_MAX);
      sessions.put(name, known);
    }
    return known;
  }

  private void runOnce(List<String> statements) throws SQLException {
    try (Connection connection = opening.open(url);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    for (Statement each : sessions.values()) {
      each.getConnection().close();
    }
    if (List.of("nelumbo", "hsqldb").contains(product(url)) && url.contains(":mem:")) {
      runOnce(List.of("SHUTDOWN")); // H2 drops it on its own
    }
  }
}
