package org.nelumbo.benchmark.run;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The sum over all terminals.
 *
 * @param types one entry per transaction type, in the benchmark's order
 * @param measured the measured time
 * @param warmup the end of the warm-up
 * @param timeline the run second by second, warm-up included
 * @param usage resources that the process used in the measured time
 * @param notStarted arrivals of an open loop within the measured time that no terminal started
 *     before its end
 */
public record RunStatistics(
    List<TypeStatistics> types,
    Duration measured,
    WarmupResult warmup,
    Timeline timeline,
    ProcessUsage usage,
    long notStarted) {

  /**
   * The end of the warm-up.
   *
   * @param length length of the warm-up
   * @param steady true if an automatic warm-up found the throughput steady, or if it was fixed
   */
  public record WarmupResult(Duration length, boolean steady) {}

  /**
   * Adds the statistics of several processes that have run the same load together, each with some
   * of the terminals.
   */
  public static RunStatistics sum(List<RunStatistics> parts) {
    RunStatistics first = parts.getFirst();
    return new RunStatistics(
        sum(parts.stream().map(RunStatistics::types), first.types.size()),
        first.measured,
        first.warmup,
        Timeline.sum(parts.stream().map(RunStatistics::timeline).toList()),
        parts.stream().map(RunStatistics::usage).reduce(ProcessUsage::plus).orElseThrow(),
        parts.stream().mapToLong(RunStatistics::notStarted).sum());
  }

  static List<TypeStatistics> sum(Stream<List<TypeStatistics>> terminals, int types) {
    List<TypeStatistics> sums =
        IntStream.range(0, types).mapToObj(_ -> new TypeStatistics()).toList();
    terminals.forEach(
        terminal -> IntStream.range(0, types).forEach(i -> sums.get(i).add(terminal.get(i))));
    return sums;
  }

  /** Returns the sum of all types. */
  public TypeStatistics total() {
    TypeStatistics total = new TypeStatistics();
    types.forEach(total::add);
    return total;
  }
}
