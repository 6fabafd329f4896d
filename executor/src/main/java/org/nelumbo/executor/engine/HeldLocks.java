package org.nelumbo.executor.engine;

import java.util.List;
import org.nelumbo.executor.lock.LockState;

/**
 * The locks that a coordinator of an engine holds, or waits for, just now: also those that one left
 * behind whose thread has stopped for good.
 *
 * @param coordinator who
 * @param locks which, empty if none
 */
public record HeldLocks(Coordinator coordinator, List<LockState> locks) {
  /** Of all coordinators that are open, in the order they were opened; any thread. */
  public static List<HeldLocks> of(Engine engine) {
    return engine.coordinators().open().stream()
        .map(each -> new HeldLocks(each, each.transaction().lockStates()))
        .toList();
  }
}
