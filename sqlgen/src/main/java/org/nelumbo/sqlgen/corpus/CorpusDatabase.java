package org.nelumbo.sqlgen.corpus;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A database that is empty at first, with a session for each name. {@link #close} ends it, if it is
 * one in memory.
 */
final class CorpusDatabase implements AutoCloseable {
  /** Opens connections. */
  @FunctionalInterface
  interface Opening {
    Connection open(String url) throws SQLException;
  }

  /** Some databases never end a recursion whose first rows are wanted only. */
  private static final int SECONDS_MAX = 5;

  private final String url;
  private final Opening opening;
  private final Map<String, Statement> sessions = new LinkedHashMap<>();

  /** Makes the database of a URL empty, if it is one of PostgreSQL. */
  CorpusDatabase(String url, Opening opening) throws SQLException {
    this.url = url;
    this.opening = opening;
    if (product(url).equals("postgresql")) {
      runOnce(List.of("DROP SCHEMA public CASCADE", "CREATE SCHEMA public"));
    }
  }

  /** The name of the database system, as a URL has it. */
  static String product(String url) {
    return url.split(":", -1)[1];
  }

  /** What runs the statements of a session. */
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
      runOnce(List.of("SHUTDOWN")); // H2 forgets it by itself
    }
  }
}
