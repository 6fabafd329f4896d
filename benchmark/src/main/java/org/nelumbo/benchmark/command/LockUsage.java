package org.nelumbo.benchmark.command;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.executor.lock.remote.ClusterLockCounts;

/**
 * Usage of locks by transactions of this process, as our own database counts it while several
 * processes share a pool.
 *
 * @param local granted by this process; 0 on other databases
 * @param remote granted by others
 */
record LockUsage(long local, long remote) {
  static LockUsage of(Database database) throws SQLException {
    if (!database.url().nelumbo()) {
      return new LockUsage(0, 0);
    }
    try (Connection connection = database.connect()) {
      ClusterLockCounts counts =
          connection.unwrap(org.nelumbo.database.Database.class).statistics().cluster().locks();
      connection.rollback();
      return new LockUsage(counts.local(), counts.remote());
    }
  }

  LockUsage since(LockUsage before) {
    return new LockUsage(local - before.local, remote - before.remote);
  }
}
