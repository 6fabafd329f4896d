package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.SessionOptions;
import org.nelumbo.planner.session.DatabasePlace;
import org.nelumbo.planner.session.LocalDatabase;
import org.nelumbo.planner.session.LocalDatabases;

/**
 * Registry of the databases that are open in this JVM. A database with a name, or in a pool that
 * outlives the JVM, is shared by connections and open until {@code SHUTDOWN} or the end of the JVM.
 * A database without a name lives as long as its connection. Thread-safe.
 */
final class Databases {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<String, DatabasePlace> SHARED = new HashMap<>();

  private Databases() {}

  static Connection connect(ConnectionUrl url) throws SQLException {
    SessionOptions options = url.sessionOptions();
    boolean isPrivate = url.place().isPrivate();
    try {
      Database database = isPrivate ? open(url) : shared(url);
      Session session = null;
      try {
        String schema = SchemaNames.resolve(database.catalog(), options.schema());
        session = database.connect(options.withSchema(schema));
      } finally {
        if (session == null && isPrivate) {
          database.close();
        }
      }
      return new NelumboConnection(
          url,
          new ConnectionLife(
              database,
              session,
              isPrivate ? ConnectionLife.DatabaseUse.PRIVATE : ConnectionLife.DatabaseUse.SHARED));
    } catch (NelumboException e) {
      throw Errors.of(e);
    }
  }

  private static Database shared(ConnectionUrl url) throws SQLException {
    LOCK.lock();
    try {
      String key = url.place().key();
      DatabasePlace place = SHARED.get(key);
      if (place == null) {
        place = new DatabasePlace();
      }
      LocalDatabase database = place.database();
      if (database == null || !database.isOpen() || !database.isReachable()) {
        database = open(url);
        place.open(database);
        if (SHARED.isEmpty()) {
          ExitHook.install(Databases::shared);
        }
        SHARED.put(key, place);
      } else if (!url.place().nodes().isEmpty()) {
        database.checkPoolName(url.place().name());
      }
      return database;
    } finally {
      LOCK.unlock();
    }
  }

  /** Databases to close at the end of the JVM. */
  private static List<LocalDatabase> shared() {
    LOCK.lock();
    try {
      return SHARED.values().stream()
          .map(DatabasePlace::database)
          .filter(Objects::nonNull)
          .toList();
    } finally {
      LOCK.unlock();
    }
  }

  private static LocalDatabase open(ConnectionUrl url) throws SQLException {
    PoolPlace place = url.place();
    if (!place.nodes().isEmpty()) {
      return LocalDatabases.openRemote(
          url.databaseOptions(), place.nodes(), url.password(), url.tls(), url.replicas());
    }
    url.checkSingleCopy();
    return place.path() == null
        ? LocalDatabases.openMemory(url.databaseOptions())
        : LocalDatabases.openShared(
            url.databaseOptions(), place.path(), url.saysMemory(), url.nodes());
  }
}
