package org.nelumbo.benchmark.run;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Monitors a run while the terminals work. It reads the resource usage of the process at the begin
 * and the end of the measured time, ends an automatic warm-up, reports progress, and detects
 * terminals that do not end in time. Used by the thread that waits for the run.
 */
final class Monitor {
  private static final long TICK_NANOS = 250_000_000;

  /** Distance far enough ahead that no terminal has finished a transaction beyond it. */
  private static final long SOON_NANOS = 1_000_000;

  private final Schedule schedule;
  private final LoopSettings settings;
  private final Timeline timeline;
  private final LongSupplier finished;
  private final RunProgress progress;
  private final SteadyState steadyState = new SteadyState();

  private ProcessUsage atBegin;
  private ProcessUsage atEnd;
  private boolean steady;
  private int seconds;
  private long finishedBefore;

  Monitor(
      Schedule schedule,
      LoopSettings settings,
      Timeline timeline,
      LongSupplier finished,
      RunProgress progress) {
    this.schedule = schedule;
    this.settings = settings;
    this.timeline = timeline;
    this.finished = finished;
    this.progress = progress;
    this.steady = !settings.warmup().automatic();
  }

  /** Waits for all terminals; returns false if some have not ended within the grace period. */
  boolean await(CountDownLatch ended) throws InterruptedException {
    long overSince = 0;
    while (!ended.await(untilNextEvent(schedule.now()), TimeUnit.NANOSECONDS)) {
      long now = schedule.now();
      look(now);
      if (schedule.running(now)) {
        progress.tick(state(now));
      } else if (overSince == 0) {
        overSince = System.nanoTime();
      } else if (System.nanoTime() - overSince > settings.grace().toNanos()) {
        return false;
      }
    }
    begin();
    end();
    return true;
  }

  /** Returns the resources that the process used within the measured time. */
  ProcessUsage usage() {
    return atEnd.since(atBegin);
  }

  RunStatistics.WarmupResult warmup() {
    long nanos = schedule.measuredFrom() - schedule.startedAt();
    return new RunStatistics.WarmupResult(Duration.ofNanos(nanos), steady);
  }

  private long untilNextEvent(long now) {
    long wait = TICK_NANOS;
    if (atBegin == null) {
      wait = Math.min(wait, schedule.measuredFrom() - now);
      wait = steady ? wait : Math.min(wait, nextSecond() - now);
    } else if (atEnd == null) {
      wait = Math.min(wait, schedule.end() - now);
    }
    return Math.max(1, wait);
  }

  /** Performs the actions that are due at this instant. */
  void look(long now) {
    if (!steady && now - nextSecond() >= 0 && now - schedule.measuredFrom() < 0) {
      secondGone(now);
    }
    if (now - schedule.measuredFrom() >= 0) {
      begin();
    }
    if (!schedule.running(now)) {
      end();
    }
  }

  private void secondGone(long now) {
    long count = finished.getAsLong();
    seconds++;
    if (steadyState.add((double) (count - finishedBefore))) {
      steady = true;
      schedule.measureFrom(now + SOON_NANOS);
    }
    finishedBefore = count;
  }

  private long nextSecond() {
    return schedule.startedAt() + TimeUnit.SECONDS.toNanos(seconds + 1L);
  }

  private void begin() {
    if (atBegin == null) {
      progress.measuringBegins();
      atBegin = ProcessUsage.now(finished.getAsLong());
    }
  }

  private void end() {
    if (atEnd == null) {
      atEnd = ProcessUsage.now(finished.getAsLong());
      progress.measuringEnds();
    }
  }

  private RunState state(long now) {
    return new RunState(
        Duration.ofNanos(now - schedule.startedAt()),
        Duration.ofNanos(schedule.measuredFrom() - schedule.startedAt()),
        Duration.ofNanos(schedule.end() - schedule.startedAt()),
        finished.getAsLong(),
        timeline);
  }
}
