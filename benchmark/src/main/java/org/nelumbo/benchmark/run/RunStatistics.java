package org.nelumbo.benchmark.run;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The sum over all terminals.
 *
 * @param types one entry a transaction type, in the benchmark's order
 * @param measured the measured time
 */
public record RunStatistics(List<TypeStatistics> types, Duration measured) {
  static RunStatistics sum(Stream<List<TypeStatistics>> terminals, int types, Duration measured) {
    List<TypeStatistics> sums =
        IntStream.range(0, types).mapToObj(_ -> new TypeStatistics()).toList();
    terminals.forEach(
        terminal -> IntStream.range(0, types).forEach(i -> sums.get(i).add(terminal.get(i))));
    return new RunStatistics(sums, measured);
  }

  /** All types together. */
  public TypeStatistics total() {
    TypeStatistics total = new TypeStatistics();
    types.forEach(total::add);
    return total;
  }
}
