package org.nelumbo.executor.recovery;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.AttachProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters for a {@link RecoveryReport}, which are logged every few seconds. */
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

  /** Largest commit timestamp seen. */
  long newestVersion;

  RecoveryCounts(Environment environment) {
    this.environment = environment;
    this.loggedNanos = environment.nanoTime();
  }

  /** Reports the progress, and logs it if the last log message is some seconds old. */
  void logProgress(String table) {
    AttachProgress.report(AttachProgress.Phase.RECOVERING, rows);
    long now = environment.nanoTime();
    if (now - loggedNanos >= PERIOD_NANOS) {
      loggedNanos = now;
      LOG.info("scanning the pool: {} rows so far, in table {}, the {}.", rows, table, tables);
    }
  }
}
