package org.nelumbo.jdbc.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.jdbc.connection.NelumboConnection;
import org.nelumbo.jdbc.connection.SchemaNames;
import org.nelumbo.jdbc.statement.ConnectionCore;
import org.nelumbo.jdbc.url.ConnectionUrl;
import org.nelumbo.jdbc.url.PoolLocation;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;

/**
 * Registry of the databases that are open in this JVM. Thread-safe.
 *
 * <p>Connections share a database that has a name or is in a pool that outlives the JVM. It stays
 * open until {@code SHUTDOWN} or the end of the JVM. A database without a name lives as long as its
 * connection.
 */
public final class DatabaseRegistry {
  private static final Map<String, SharedDatabase> SHARED = new ConcurrentHashMap<>();
  private static final AtomicBoolean HOOKED = new AtomicBoolean();

  private DatabaseRegistry() {}

  /**
   * Opens a connection.
   *
   * @param seconds longest wait for the pool to be opened; 0 for no limit
   */
  public static Connection connect(ConnectionUrl url, int seconds) throws SQLException {
    SessionOptions options = url.sessionOptions();
    boolean isPrivate = url.location().isPrivate();
    Database database = isPrivate ? open(url, 0) : shared(url, seconds);
    Session session = null;
    try {
      String schema = SchemaNames.resolve(database.catalog(), options.schema());
      session = database.connect(options.withSchema(schema));
      return new NelumboConnection(
          url,
          new ConnectionCore(
              database,
              session,
              isPrivate ? ConnectionCore.DatabaseUse.PRIVATE : ConnectionCore.DatabaseUse.SHARED));
    } catch (Throwable e) {
      close(session, isPrivate ? database : null);
      throw e;
    }
  }

  private static void close(Session sessionOrNull, Database databaseOrNull) {
    try {
      if (sessionOrNull != null) {
        sessionOrNull.close();
      }
    } finally {
      if (databaseOrNull != null) {
        databaseOrNull.close();
      }
    }
  }

  private static Database shared(ConnectionUrl url, int seconds) throws SQLException {
    String key = url.location().key();
    SharedDatabase shared = SHARED.computeIfAbsent(key, SharedDatabase::new);
    if (!HOOKED.getAndSet(true)) {
      PoolShutdownHook.install(DatabaseRegistry::databases);
    }
    LocalDatabase database =
        shared.get(remembered -> open(url, remembered), url.request(), seconds);
    if (!url.location().nodes().isEmpty()) {
      database.checkPoolName(url.location().name());
    }
    return database;
  }

  private static List<LocalDatabase> databases() {
    return SHARED.values().stream().map(SharedDatabase::database).filter(Objects::nonNull).toList();
  }

  private static LocalDatabase open(ConnectionUrl url, long remembered) throws SQLException {
    PoolLocation location = url.location();
    DatabaseOptions options = url.databaseOptions().withExpectation(url.expectation(remembered));
    DeviceName rdma = url.rdma();
    if (!location.nodes().isEmpty()) {
      return DatabaseOpener.openRemote(
          options,
          location.nodes(),
          url.secrets(),
          url.tls(),
          rdma,
          url.replicas(),
          url.witnesses());
    }
    url.checkSingleCopy();
    if (location.path() == null) {
      url.checkEmbedded();
      return DatabaseOpener.openMemory(options);
    }
    if (location.isDirectory()) {
      return DatabaseOpener.openFile(options, location.path());
    }
    return DatabaseOpener.openShared(options, location.path(), url.wantedPool(), url.lease());
  }
}
