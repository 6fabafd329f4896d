package org.nelumbo.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Session;
import org.nelumbo.planner.SessionOptions;
import org.nelumbo.planner.open.DatabaseHolder;
import org.nelumbo.planner.open.DatabaseOpener;
import org.nelumbo.planner.open.LocalDatabase;

/**
 * Registry of the databases that are open in this JVM. A database with a name, or in a pool that
 * outlives the JVM, is shared by connections and open until {@code SHUTDOWN} or the end of the JVM.
 * A database without a name lives as long as its connection. Thread-safe.
 */
final class DatabaseRegistry {
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Map<String, DatabaseHolder> SHARED = new HashMap<>();

  private DatabaseRegistry() {}

  static Connection connect(ConnectionUrl url) throws SQLException {
    SessionOptions options = url.sessionOptions();
    boolean isPrivate = url.location().isPrivate();
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
        new ConnectionCore(
            database,
            session,
            isPrivate ? ConnectionCore.DatabaseUse.PRIVATE : ConnectionCore.DatabaseUse.SHARED));
  }

  private static Database shared(ConnectionUrl url) throws SQLException {
    LOCK.lock();
    try {
      String key = url.location().key();
      DatabaseHolder holder = SHARED.get(key);
      if (holder == null) {
        holder = new DatabaseHolder();
      }
      LocalDatabase database = holder.database();
      if (database == null || !database.isOpen() || !database.isReachable()) {
        database = open(url);
        holder.open(database);
        if (SHARED.isEmpty()) {
          PoolShutdownHook.install(DatabaseRegistry::shared);
        }
        SHARED.put(key, holder);
      } else if (!url.location().nodes().isEmpty()) {
        database.checkPoolName(url.location().name());
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
          .map(DatabaseHolder::database)
          .filter(Objects::nonNull)
          .toList();
    } finally {
      LOCK.unlock();
    }
  }

  private static LocalDatabase open(ConnectionUrl url) throws SQLException {
    PoolLocation location = url.location();
    if (!location.nodes().isEmpty()) {
      return DatabaseOpener.openRemote(
          url.databaseOptions(), location.nodes(), url.password(), url.tls(), url.replicas());
    }
    url.checkSingleCopy();
    return location.path() == null
        ? DatabaseOpener.openMemory(url.databaseOptions())
        : DatabaseOpener.openShared(url.databaseOptions(), location.path(), url.wantedPool());
  }
}
