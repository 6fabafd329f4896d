package org.nelumbo.database;

import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.executor.recovery.RecoveryReport;

/**
 * Report on how a database attached to its pool.
 *
 * @param poolId random id of the pool, chosen at its creation; 0 if the pool ends with the process
 * @param poolName name of the pool; empty if it has none
 * @param epoch epoch in which this process owns the pool; 0 if the pool ends with the process
 * @param isNew true if this attach created the pool
 * @param wasLeft true if the previous owner detached in order
 * @param startMicros start of the attach, in microseconds since 1970
 * @param nanos duration of the attach
 * @param recovery result of the recovery; null for a new pool
 */
public record AttachReport(
    long poolId,
    String poolName,
    long epoch,
    boolean isNew,
    boolean wasLeft,
    long startMicros,
    long nanos,
    RecoveryReport recovery) {
  /** The report for a pool in the memory of this process. */
  public static final AttachReport EMBEDDED = new AttachReport(0, "", 0, true, true, 0, 0, null);

  /** Returns the pool's id in the form for users; empty if it has none. */
  public String poolIdText() {
    return poolId == 0 ? "" : PoolExpectation.text(poolId);
  }
}
