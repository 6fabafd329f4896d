package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.SimTask;

/** The hooks by which faults come into the fabric. The default does nothing. */
public interface FaultHooks {
  /** No faults. */
  FaultHooks NONE = new FaultHooks() {};

  /** A task is about to post a verb; it may be stopped here. */
  default void posting(SimTask task) {}

  /** A task is about to wait for its verbs; it may be stopped here. */
  default void flushing(SimTask task) {}

  /** All of a task's verbs of a flush have taken effect; it does not know yet. May stop it. */
  default void flushed(SimTask task) {}

  /** A verb of a task has taken effect as a whole; the task may be stopped here. */
  default void landed(SimTask task) {}

  /** Nanoseconds a verb takes longer than it should, on its way to a node. */
  default long delay(SimTask task, int node) {
    return 0;
  }

  /**
   * A verb of a task leaves for a memory node. For observers: nothing may be stopped here.
   *
   * @param fabric name of the fabric, by which the copies of a pool differ
   */
  default void leaves(SimTask task, String fabric, String verb, long address, int length) {}

  /** Whether a verb is lost, which its flush finds out after the fabric's timeout. */
  default boolean loses(SimTask task, int node) {
    return false;
  }
}
