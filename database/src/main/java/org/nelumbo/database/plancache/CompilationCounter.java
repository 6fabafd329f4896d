package org.nelumbo.database.plancache;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.nelumbo.planner.frontend.PlanTimes;

/** Counts compilations and the durations of their stages. Thread-safe. */
final class CompilationCounter {
  private final LongAdder compilations = new LongAdder();
  private final Map<PlanTimes.Stage, LongAdder> nanos = new EnumMap<>(PlanTimes.Stage.class);

  CompilationCounter() {
    for (PlanTimes.Stage stage : PlanTimes.Stage.values()) {
      nanos.put(stage, new LongAdder());
    }
  }

  void add(PlanTimes times) {
    compilations.increment();
    nanos.forEach((stage, sum) -> sum.add(times.of(stage)));
  }

  CompilationCounts counts() {
    Map<PlanTimes.Stage, Long> sums = new EnumMap<>(PlanTimes.Stage.class);
    nanos.forEach((stage, sum) -> sums.put(stage, sum.sum()));
    return new CompilationCounts(compilations.sum(), sums);
  }
}
