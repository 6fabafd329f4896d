package org.nelumbo.executor.recovery;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.AttachProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counts on the way to a {@link RecoveryReport}; logs them every few seconds. */
final class RecoveryCounts {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryCounts.class);
  private static final long PERIOD_NANOS = 5_000_000_000L;

  private final Environment environment;
  private long loggedNanos;

  int tables;
  long rows;
  int committed;
  long undoneCells;
  long removedEntries;
  int repairedNodes;
  int rebuiltIndexes;

  /** The largest commit timestamp seen. */
  long newestVersion;

  RecoveryCounts(Environment environment) {
    this.environment = environment;
    this.loggedNanos = environment.nanoTime();
  }

  /** Tells people how far it is; in the log, if it was told some time ago. */
  void logProgress(String table) {
    AttachProgress.report(AttachProgress.Phase.RECOVERING, rows);
    long now = environment.nanoTime();
    if (now - loggedNanos >= PERIOD_NANOS) {
      loggedNanos = now;
      LOG.info(
          "looking through the pool: {} rows so far, in table {}, the {}.", rows, table, tables);
    }
  }
}
