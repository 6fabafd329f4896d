package org.nelumbo.metrics;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.dm.pool.ReplicationStatus;

/**
 * Health of a database in this process. It is not ready while its pool is lost, or has a single
 * live copy left of several. It never requires a restart of the process: the next connection
 * reopens a lost database.
 */
public final class DatabaseHealth implements HealthCheck {
  private final Supplier<DatabaseStatistics> source;

  public DatabaseHealth(Database database) {
    this.source = database.statisticsSource();
  }

  /**
   * Creates the health check of the database behind a data source, or behind a connection pool
   * around it.
   */
  public static DatabaseHealth of(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return new DatabaseHealth(connection.unwrap(Database.class));
    }
  }

  @Override
  public String illness() {
    return "";
  }

  @Override
  public String unreadiness() {
    ReplicationStatus status = source.get().replicationStatus();
    if (status.lost()) {
      return "the pool is lost: too many memory nodes have failed";
    }
    int live = status.count(ReplicationStatus.State.LIVE);
    return status.copies() > 1 && live <= 1
        ? "one memory node of "
            + status.nodes().size()
            + " is live: the next failure loses the pool"
        : "";
  }
}
