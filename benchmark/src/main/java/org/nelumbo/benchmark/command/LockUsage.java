package org.nelumbo.benchmark.command;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.executor.lock.remote.ClusterLockCounts;

/**
 * The number of locks that the transactions of this process have acquired. Only Nelumbo counts
 * them, while several processes share a pool.
 *
 * @param local locks granted by this process; 0 on other databases
 * @param remote locks granted by other processes
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
