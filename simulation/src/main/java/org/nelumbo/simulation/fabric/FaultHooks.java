package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.SimTask;

/** The hooks that inject faults into the fabric. The default methods do nothing. */
public interface FaultHooks {
  /** No faults. */
  FaultHooks NONE = new FaultHooks() {};

  /** Called before a task posts a verb; it may be stopped here. */
  default void posting(SimTask task) {}

  /** Called before a task waits for its verbs; it may be stopped here. */
  default void flushing(SimTask task) {}

  /**
   * Called when all verbs of a flush have taken effect, before the task resumes. The task may be
   * stopped here.
   */
  default void flushed(SimTask task) {}

  /** Called when a verb of a task has taken effect as a whole; the task may be stopped here. */
  default void landed(SimTask task) {}

  /** Returns the extra time of a verb to a node, nanoseconds. */
  default long delay(SimTask task, int node) {
    return 0;
  }

  /**
   * Called when a verb of a task leaves for a memory node. For observers: tasks must not be stopped
   * here.
   *
   * @param fabric name of the fabric, which differs between the copies of a pool
   */
  default void leaves(SimTask task, String fabric, String verb, long address, int length) {}

  /** Returns true if a verb is lost, which its flush detects after the fabric's timeout. */
  default boolean loses(SimTask task, int node) {
    return false;
  }
}
