package org.nelumbo.executor.cluster;

import java.util.function.UnaryOperator;
import org.nelumbo.dm.peer.PeerId;

/**
 * Agreement of a compute node with the other members of a shared pool on the schema. Only the
 * holder of the schema-change lease uses {@link #change} and {@link #isSettledByAll}.
 */
public interface SchemaAgreement {
  /** Returns the identity of this compute node. */
  PeerId self();

  /**
   * Returns the locally known state, without a round trip.
   *
   * @throws org.nelumbo.dm.pool.FabricException if this compute node is no longer a member
   */
  SchemaState state();

  /**
   * Acquires the schema-change lease for this compute node, unless another one has it; takes some
   * round trips. Returns the resulting state.
   */
  SchemaState begin();

  /**
   * Changes the state while this compute node has the schema-change lease; returns the new state.
   */
  SchemaState change(UnaryOperator<SchemaState> change);

  /**
   * Returns true if every compute node that was a member at the last {@link #change} of this one,
   * except this one, has settled that change, or is removed and repaired; takes one round trip.
   */
  boolean isSettledByAll();

  /**
   * Returns true if a compute node was removed since {@link #begin}, or was not repaired then. It
   * may have left a table in an inconsistent state that no compute node has repaired, if the table
   * was not known to the others any more.
   */
  boolean hasLostAnybody();

  /** Publishes the serial number that this compute node has settled. */
  void settle(long serial);

  /** Returns the average time until other compute nodes detect a change. */
  long pollNanos();

  /** Sets a listener that runs on another thread when a new state is known locally. */
  void setListener(Runnable listener);
}
