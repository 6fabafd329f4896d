package org.nelumbo.planner.catalog;

import java.util.Arrays;

/** The gates a session is inside of. Written by the session's thread, read by schema changes. */
public final class GatePass {
  private volatile TableGate[] gates = new TableGate[8];
  private volatile int count;

  /**
   * Enters a gate, waiting while it is closed.
   *
   * @return false if it was still closed when the time was over
   */
  public boolean enter(TableGate gate, long timeoutNanos) {
    TableGate[] held = gates;
    int size = count;
    for (int i = 0; i < size; i++) {
      if (held[i] == gate) {
        return true;
      }
    }
    if (size == held.length) {
      held = Arrays.copyOf(held, size * 2);
      gates = held;
    }
    while (true) {
      held[size] = gate;
      count = size + 1;
      if (!gate.isClosed()) {
        return true;
      }
      count = size;
      if (!gate.awaitOpen(timeoutNanos)) {
        return false;
      }
    }
  }

  /** Leaves all gates: the transaction is over. */
  public void leaveAll() {
    if (count > 0) {
      count = 0;
    }
  }

  /** Whether the session is inside of a gate. */
  public boolean holds(TableGate gate) {
    int size = count;
    TableGate[] held = gates;
    for (int i = 0; i < Math.min(size, held.length); i++) {
      if (held[i] == gate) {
        return true;
      }
    }
    return false;
  }
}
