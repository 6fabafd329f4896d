package org.nelumbo.benchmark.run;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.ErrorKind;

/**
 * Runs terminals against a database for a warm-up and a measured time. In a closed loop each
 * terminal sends its next transaction when the last one has ended. In an open loop transactions
 * arrive at a given rate, whether or not the database keeps up.
 */
public final class LoadLoop {
  private final Links links;
  private final Dialect dialect;
  private final TerminalFactory factory;
  private final int types;
  private final LoopSettings settings;
  private final LoopClock clock;
  private final Timeline timeline;
  private final ArrivalTimes arrivals;

  /**
   * Creates a loop that uses the system's clock.
   *
   * @param links the terminals' access to the database; the caller closes them
   * @param types number of transaction types; {@link Terminal#draw} returns less than this
   */
  public LoadLoop(
      Links links, Dialect dialect, TerminalFactory factory, int types, LoopSettings settings) {
    this(links, dialect, factory, types, settings, LoopClock.SYSTEM);
  }

  LoadLoop(
      Links links,
      Dialect dialect,
      TerminalFactory factory,
      int types,
      LoopSettings settings,
      LoopClock clock) {
    this.links = links;
    this.dialect = dialect;
    this.factory = factory;
    this.types = types;
    this.settings = settings;
    this.clock = clock;
    this.timeline = new Timeline(settings.warmup().longest().plus(settings.duration()));
    this.arrivals =
        settings.rate().map(rate -> new ArrivalTimes(rate, settings.seed())).orElse(null);
  }

  /**
   * Runs the loop to its end. May be called only once.
   *
   * @throws RunStoppedException if a terminal met an error that is neither a conflict nor allowed
   */
  public RunStatistics run(RunProgress progress) throws RunStoppedException, InterruptedException {
    return run(progress, StartLine.NONE);
  }

  /**
   * Runs the loop to its end, together with those of other processes. May be called only once.
   *
   * @throws RunStoppedException if a terminal met an error that is neither a conflict nor allowed,
   *     or if another process did not reach the start line
   */
  public RunStatistics run(RunProgress progress, StartLine line)
      throws RunStoppedException, InterruptedException {
    Schedule schedule = new Schedule(clock, settings);
    CountDownLatch ended = new CountDownLatch(settings.terminals());
    List<TerminalLoop> loops = new ArrayList<>();
    for (int i = 0; i < settings.terminals(); i++) {
      TerminalLoop loop = new TerminalLoop(this, schedule, i, types);
      loops.add(loop);
      Thread.ofPlatform().name("terminal-" + i).daemon().start(() -> runAndTell(loop, ended));
    }
    schedule.awaitReady();
    try {
      if (!schedule.failed()) {
        line.await();
      }
    } catch (RunStoppedException e) {
      schedule.fail(e);
      throw e;
    } finally {
      schedule.start();
    }
    Monitor monitor =
        new Monitor(
            schedule,
            settings,
            timeline,
            () -> loops.stream().mapToLong(TerminalLoop::finished).sum(),
            progress);
    boolean complete = monitor.await(ended);
    if (!complete) {
      loops.forEach(TerminalLoop::abort);
    }
    throwIfStopped(schedule, complete);
    return new RunStatistics(
        RunStatistics.sum(loops.stream().map(TerminalLoop::statistics), types),
        settings.duration(),
        monitor.warmup(),
        timeline,
        monitor.usage(),
        loops.stream().mapToLong(TerminalLoop::notStarted).sum() + neverTaken(schedule));
  }

  private static void runAndTell(TerminalLoop loop, CountDownLatch ended) {
    try {
      loop.run();
    } finally {
      ended.countDown();
    }
  }

  private long neverTaken(Schedule schedule) {
    if (arrivals == null) {
      return 0;
    }
    long count = 0;
    long intended = schedule.startedAt() + arrivals.take();
    while (intended - schedule.end() < 0) {
      count += schedule.measuredArrival(intended) ? 1 : 0;
      intended = schedule.startedAt() + arrivals.take();
    }
    return count;
  }

  private void throwIfStopped(Schedule schedule, boolean complete) throws RunStoppedException {
    if (schedule.failed()) {
      Throwable cause = schedule.failure();
      boolean lost =
          cause instanceof SQLException e && ErrorKind.of(e, dialect) == ErrorKind.CONNECTION_LOST;
      throw new RunStoppedException("a terminal stopped: " + describe(cause), cause, lost);
    }
    if (!complete) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(settings.grace().toNanos());
      throw new RunStoppedException(
          "terminals still wait for the database " + seconds + " s after the end", null, true);
    }
  }

  private static String describe(Throwable cause) {
    String state = cause instanceof SQLException e ? " (SQLState " + e.getSQLState() + ")" : "";
    return cause + state;
  }

  Links links() {
    return links;
  }

  Dialect dialect() {
    return dialect;
  }

  TerminalFactory factory() {
    return factory;
  }

  LoopSettings settings() {
    return settings;
  }

  Timeline timeline() {
    return timeline;
  }

  /** Returns the arrivals of an open loop, or null in a closed loop. */
  ArrivalTimes arrivals() {
    return arrivals;
  }
}
