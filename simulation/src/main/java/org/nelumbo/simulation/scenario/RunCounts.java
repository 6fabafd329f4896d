package org.nelumbo.simulation.scenario;

import org.nelumbo.simulation.cluster.TransactionFailed;

/** Counts of one run. They need no locks, since all clients of a world run on one carrier. */
final class RunCounts {
  /** Number of finished transactions of each client. */
  final long[] done;

  long committed;
  long conflicts;
  long exhausted;
  long lost;
  long unknown;
  long broken;
  long schemaChanges;
  long schemaRefusals;

  RunCounts(int clients) {
    done = new long[clients];
  }

  void schemaChanged(boolean done) {
    if (done) {
      schemaChanges++;
    } else {
      schemaRefusals++;
    }
  }

  void failed(TransactionFailed.Reason reason) {
    switch (reason) {
      case CONFLICT -> conflicts++;
      case OUT_OF_MEMORY -> exhausted++;
      case LOST -> lost++;
      case UNKNOWN -> unknown++;
      case BROKEN, BROKEN_COMMIT -> broken++;
    }
  }
}
