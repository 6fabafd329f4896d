package org.nelumbo.executor.engine;

import java.util.List;
import org.nelumbo.executor.lock.LockState;

/**
 * The locks that a coordinator of an engine holds or waits for at present, including the locks of a
 * coordinator whose thread has stopped for good.
 *
 * @param coordinator the holder
 * @param locks the locks, possibly none
 */
public record HeldLocks(Coordinator coordinator, List<LockState> locks) {
  /**
   * Returns the locks of all open coordinators, in the order in which they were opened. Any thread
   * may call this.
   */
  public static List<HeldLocks> of(Engine engine) {
    return engine.coordinators().open().stream()
        .map(each -> new HeldLocks(each, each.transaction().lockStates()))
        .toList();
  }
}
