package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.SessionOptions;
import org.nelumbo.planner.session.LocalDatabase;

/**
 * The embedded databases of this JVM: those with a name live until {@code SHUTDOWN} or the end of
 * the JVM, one without lives as long as its connection.
 */
final class Databases {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<String, Database> NAMED = new HashMap<>();

  private Databases() {}

  static Connection connect(ConnectionUrl url) throws SQLException {
    SessionOptions options = url.sessionOptions();
    boolean isPrivate = url.name().isEmpty();
    try {
      Database database = isPrivate ? LocalDatabase.openMemory(url.databaseOptions()) : named(url);
      Session session = null;
      try {
        String schema = SchemaNames.resolve(database.catalog(), options.schema());
        session = database.connect(options.withSchema(schema));
      } finally {
        if (session == null && isPrivate) {
          database.close();
        }
      }
      return new NelumboConnection(url, database, session, isPrivate);
    } catch (NelumboException e) {
      throw Errors.of(e);
    }
  }

  private static Database named(ConnectionUrl url) throws SQLException {
    LOCK.lock();
    try {
      Database database = NAMED.get(url.name());
      if (database == null || !database.isOpen()) {
        database = LocalDatabase.openMemory(url.databaseOptions());
        NAMED.put(url.name(), database);
      }
      return database;
    } finally {
      LOCK.unlock();
    }
  }
}
