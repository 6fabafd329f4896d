package org.nelumbo.executor.recovery;

/** The counts on the way to a {@link RecoveryReport}. */
final class RecoveryCounts {
  int tables;
  long rows;
  int committed;
  long undoneCells;
  long removedEntries;
  int repairedNodes;
  int rebuiltIndexes;

  /** The largest commit timestamp seen. */
  long newestVersion;
}
