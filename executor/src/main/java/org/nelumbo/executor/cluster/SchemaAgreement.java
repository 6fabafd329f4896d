package org.nelumbo.executor.cluster;

import java.util.function.UnaryOperator;
import org.nelumbo.dm.peer.PeerId;

/**
 * How a compute node that shares a pool agrees with the others on its schema. One schema change at
 * a time uses {@link #change} and {@link #isSettledByAll}.
 */
public interface SchemaAgreement {
  /** This compute node. */
  PeerId self();

  /**
   * What is agreed on, as far as is known here; costs nothing.
   *
   * @throws org.nelumbo.dm.pool.FabricException if this compute node is none of them any more
   */
  SchemaState state();

  /**
   * Has it be this compute node's turn to change the schema, unless it is another one's; in some
   * round trips.
   */
  SchemaState begin();

  /** Changes what is agreed on, while it is this one's turn; returns what it is then. */
  SchemaState change(UnaryOperator<SchemaState> change);

  /**
   * Whether every compute node that was there at the last {@link #change} of this one has settled
   * what came of it, or is gone and recovered; in one round trip. This one does not count.
   */
  boolean isSettledByAll();

  /**
   * Whether a compute node has gone since {@link #begin}, or was not recovered by then. It may have
   * left a table in disorder, which nobody who does not know that table any more has put right.
   */
  boolean hasLostAnybody();

  /** Tells the others what this compute node has settled. */
  void settle(long serial);

  /** How long others take to notice a change, on average. */
  long pollNanos();

  /** Sets who is told, by another thread, when what is agreed on has become known here. */
  void setListener(Runnable listener);
}
