package org.nelumbo.benchmark.run;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.ErrorKind;

/** Runs terminals against a database for a warm-up and a measured time. */
public final class ClosedLoop {
  private static final long TICK_MILLIS = 250;

  private final Database database;
  private final TerminalFactory factory;
  private final int types;
  private final LoopSettings settings;
  private final LongSupplier clock;

  /**
   * A loop on the system's clock.
   *
   * @param types number of transaction types; {@link Terminal#draw} stays below it
   */
  public ClosedLoop(Database database, TerminalFactory factory, int types, LoopSettings settings) {
    this(database, factory, types, settings, System::nanoTime);
  }

  ClosedLoop(
      Database database,
      TerminalFactory factory,
      int types,
      LoopSettings settings,
      LongSupplier clock) {
    this.database = database;
    this.factory = factory;
    this.types = types;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Runs to the end.
   *
   * @throws RunStoppedException if a terminal met an error that is neither conflict nor allowed
   */
  public RunStatistics run(RunProgress progress) throws RunStoppedException, InterruptedException {
    Schedule schedule = new Schedule(clock, settings.terminals());
    List<TerminalLoop> loops = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < settings.terminals(); i++) {
      TerminalLoop loop = new TerminalLoop(database, factory, schedule, settings, i, types);
      loops.add(loop);
      threads.add(Thread.ofPlatform().name("terminal-" + i).daemon().start(loop));
    }
    schedule.start(settings);
    boolean ended = await(threads, schedule, progress, loops);
    if (!ended) {
      loops.forEach(TerminalLoop::abort);
    }
    throwIfStopped(schedule, ended);
    return RunStatistics.sum(
        loops.stream().map(TerminalLoop::statistics), types, settings.duration());
  }

  /** Waits for all threads; false if some are still busy long after the end. */
  private boolean await(
      List<Thread> threads, Schedule schedule, RunProgress progress, List<TerminalLoop> loops)
      throws InterruptedException {
    long begin = System.nanoTime();
    long patience = settings.grace().toNanos();
    long overSince = 0;
    boolean over = false;
    for (Thread thread : threads) {
      while (!thread.join(Duration.ofMillis(TICK_MILLIS))) {
        long now = System.nanoTime();
        if (schedule.running()) {
          long finished = loops.stream().mapToLong(TerminalLoop::finished).sum();
          progress.tick(Duration.ofNanos(now - begin), finished);
        } else if (!over) {
          over = true;
          overSince = now;
        } else if (now - overSince > patience) {
          return false;
        }
      }
    }
    return true;
  }

  private void throwIfStopped(Schedule schedule, boolean ended) throws RunStoppedException {
    if (schedule.failed()) {
      Throwable cause = schedule.failure();
      boolean lost =
          cause instanceof SQLException e
              && ErrorKind.of(e, database.dialect()) == ErrorKind.CONNECTION_LOST;
      throw new RunStoppedException("a terminal stopped: " + describe(cause), cause, lost);
    }
    if (!ended) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(settings.grace().toNanos());
      throw new RunStoppedException(
          "terminals still hang in the database " + seconds + " s after the end", null, true);
    }
  }

  private static String describe(Throwable cause) {
    String state = cause instanceof SQLException e ? " (SQLState " + e.getSQLState() + ")" : "";
    return cause + state;
  }
}
