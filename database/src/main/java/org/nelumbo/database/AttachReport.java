package org.nelumbo.database;

import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.executor.recovery.RecoveryReport;

/**
 * Report of how a database got its pool.
 *
 * @param poolId id of the pool, drawn when it was made; 0 if the pool ends with the process
 * @param poolName its name; empty if it has none
 * @param epoch in which this process has it; 0 if the pool ends with the process
 * @param isNew whether it was made by this attach
 * @param wasLeft whether the owner before had left it in order
 * @param startMicros when the attach began, in microseconds since 1970
 * @param nanos how long it took
 * @param recovery what was found and put in order; null in a new pool
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
  /** The report of a pool in this process's memory. */
  public static final AttachReport EMBEDDED = new AttachReport(0, "", 0, true, true, 0, 0, null);

  /** The pool's id for people; empty if it has none. */
  public String poolIdText() {
    return poolId == 0 ? "" : PoolExpectation.text(poolId);
  }
}
