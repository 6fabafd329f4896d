package org.nelumbo.sim.scenario;

import org.nelumbo.sim.cluster.TransactionFailed;

/** Counts of one run; all clients of a world are on one carrier. */
final class Tally {
  long committed;
  long conflicts;
  long exhausted;
  long unknown;

  void failed(TransactionFailed.Reason reason) {
    switch (reason) {
      case CONFLICT -> conflicts++;
      case OUT_OF_MEMORY -> exhausted++;
      case UNKNOWN -> unknown++;
    }
  }
}
