package org.nelumbo.benchmark.run;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a loop.
 *
 * @param terminals number of threads, at least 1
 * @param warmup time before the measured time
 * @param duration measured time
 * @param rate load offered by an open loop; empty for a closed loop
 * @param retriesMax maximum number of retries of a transaction after conflicts
 * @param backsOff true if a terminal pauses for a random time before a retry
 * @param grace time that terminals may take to finish their last transaction
 * @param seed seed of the back-off times and arrivals
 * @param firstTerminal number of the first terminal; lower numbers belong to other processes
 */
public record LoopSettings(
    int terminals,
    Warmup warmup,
    Duration duration,
    Optional<OfferedRate> rate,
    int retriesMax,
    boolean backsOff,
    Duration grace,
    long seed,
    int firstTerminal) {
  public LoopSettings {
    if (terminals < 1 || retriesMax < 0 || !duration.isPositive()) {
      throw new IllegalArgumentException(
          "terminals and duration must be positive, retries not negative");
    }
  }

  /** Creates the settings of a process that has all terminals. */
  public LoopSettings(
      int terminals,
      Warmup warmup,
      Duration duration,
      Optional<OfferedRate> rate,
      int retriesMax,
      boolean backsOff,
      Duration grace,
      long seed) {
    this(terminals, warmup, duration, rate, retriesMax, backsOff, grace, seed, 0);
  }

  /**
   * Returns the settings of one of several processes that share the terminals and the arrivals.
   *
   * @param part 0 to {@code parts} - 1; there are no more parts than terminals
   */
  public LoopSettings part(int part, int parts) {
    int first = (int) ((long) terminals * part / parts);
    int own = (int) ((long) terminals * (part + 1) / parts) - first;
    return new LoopSettings(
        own,
        warmup,
        duration,
        rate.map(all -> new OfferedRate(all.perSecond() * own / terminals, all.arrivals())),
        retriesMax,
        backsOff,
        grace,
        seed + part,
        firstTerminal + first);
  }
}
