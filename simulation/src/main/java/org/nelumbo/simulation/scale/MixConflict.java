package org.nelumbo.simulation.scale;

import org.nelumbo.executor.outcome.Outcome;

/** A conflict: the transaction has to be retried. */
final class MixConflict extends Exception {
  private static final long serialVersionUID = 1L;

  MixConflict(Outcome status) {
    super(status.name(), null, false, false);
  }
}
