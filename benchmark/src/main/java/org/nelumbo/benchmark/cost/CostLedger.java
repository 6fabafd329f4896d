package org.nelumbo.benchmark.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Collects the counts of all terminals of a run. Any thread may add a terminal. */
public final class CostLedger {
  private final Queue<CountingTerminal> terminals = new ConcurrentLinkedQueue<>();
  private final List<String> types;

  public CostLedger(List<String> types) {
    this.types = List.copyOf(types);
  }

  int types() {
    return types.size();
  }

  void add(CountingTerminal terminal) {
    terminals.add(terminal);
  }

  /** Returns the mean costs of each type. Call it after all terminals have ended. */
  public List<TypeCost> means() {
    List<TypeCost> means = new ArrayList<>();
    for (int type = 0; type < types.size(); type++) {
      Cost sum = Cost.NONE;
      long count = 0;
      for (CountingTerminal terminal : terminals) {
        sum = sum.plus(terminal.sum(type));
        count += terminal.committed(type);
      }
      means.add(TypeCost.mean(types.get(type), count, sum));
    }
    return means;
  }
}
