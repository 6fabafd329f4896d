package org.nelumbo.benchmark.run;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseDataSource;

/**
 * Links that take a connection from a HikariCP pool for each attempt and return it afterwards.
 * There may be more terminals than connections.
 */
public final class PooledLinks implements Links {
  private final HikariDataSource pool;

  /**
   * Creates a pool and opens its connections.
   *
   * @throws SQLException if the database cannot be reached
   */
  public PooledLinks(Database database, int connections) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setPoolName("benchmark");
    config.setDataSource(new DatabaseDataSource(database));
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    config.setAutoCommit(false);
    config.setInitializationFailTimeout(TimeUnit.SECONDS.toMillis(30));
    try {
      this.pool = new HikariDataSource(config);
    } catch (HikariPool.PoolInitializationException e) {
      throw e.getCause() instanceof SQLException cause ? cause : new SQLException(e);
    }
  }

  @Override
  public Link open() {
    return new Pooled(pool);
  }

  @Override
  public void close() {
    pool.close();
  }

  private static final class Pooled implements Link {
    private final HikariDataSource pool;
    private final BorrowedSession session = new BorrowedSession();
    private volatile Connection borrowed;

    Pooled(HikariDataSource pool) {
      this.pool = pool;
    }

    @Override
    public Connection connection() {
      return session.connection();
    }

    @Override
    public void begin() throws SQLException {
      Connection connection = pool.getConnection();
      borrowed = connection;
      session.attach(connection);
    }

    @Override
    public void end() throws SQLException {
      Connection connection = borrowed;
      borrowed = null;
      session.detach();
      if (connection != null) {
        connection.close();
      }
    }

    @Override
    public void rollback() throws SQLException {
      if (borrowed != null) {
        borrowed.rollback();
      }
      end();
    }

    @Override
    public void abort() {
      Connection stuck = borrowed;
      if (stuck != null) {
        pool.evictConnection(stuck);
      }
    }

    @Override
    public void close() throws SQLException {
      end();
    }
  }
}
