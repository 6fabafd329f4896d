package org.nelumbo.planner.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The results of a session whose rows are read from its transaction as they are asked for. Before
 * the transaction ends they are closed, or what is left of them is read into memory. One thread at
 * a time.
 */
final class OpenResults {
  private final List<LocalExecution> streaming = new ArrayList<>();

  boolean isEmpty() {
    return streaming.isEmpty();
  }

  void add(LocalExecution execution) {
    streaming.add(execution);
  }

  void remove(LocalExecution execution) {
    streaming.remove(execution);
  }

  /** Reads what is left of all of them into memory. */
  void detachAll() {
    for (LocalExecution execution : List.copyOf(streaming)) {
      execution.detach();
    }
    streaming.clear();
  }

  void closeAll() {
    for (LocalExecution execution : streaming) {
      execution.execution().close();
      execution.closed();
    }
    streaming.clear();
  }
}
