package org.nelumbo.benchmark.run;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.nelumbo.benchmark.database.ErrorKind;
import org.nelumbo.benchmark.database.Failure;

/**
 * The thread of one terminal, from connecting to closing. A transaction without errors needs two
 * readings of the clock and allocates nothing.
 */
final class TerminalLoop implements Runnable {
  private final LoadLoop loop;
  private final Schedule schedule;
  private final int index;
  private final Backoff backoff;
  private final List<TypeStatistics> statistics;
  private final Attempt attempt = new Attempt();
  private final AtomicLong finished = new AtomicLong();

  private volatile Link link;
  private Terminal terminal;
  private Timeline.Recorder timeline;
  private int incarnation;
  private long notStarted;

  TerminalLoop(LoadLoop loop, Schedule schedule, int index, int types) {
    this.loop = loop;
    this.schedule = schedule;
    this.index = loop.settings().firstTerminal() + index;
    this.backoff = new Backoff(loop.settings().seed() * 31 + this.index);
    this.statistics = IntStream.range(0, types).mapToObj(_ -> new TypeStatistics()).toList();
  }

  @Override
  public void run() {
    try {
      connect();
      schedule.readyToGo();
      timeline = loop.timeline().recorder(schedule.startedAt());
      if (loop.arrivals() == null) {
        runClosed();
      } else {
        runOpen(loop.arrivals());
      }
      timeline.handOver();
      disconnect();
    } catch (Throwable e) {
      schedule.fail(e);
      closeQuietly();
    }
  }

  private void runClosed() throws SQLException {
    long now = schedule.now();
    while (schedule.running(now)) {
      int type = terminal.draw();
      long keying = terminal.keyingNanos();
      if (keying > 0) {
        schedule.pause(schedule.now(), keying);
      }
      long begin = schedule.now();
      attempt.start(begin, begin, false);
      now = transaction(type);
      long thinking = terminal.thinkNanos();
      if (thinking > 0) {
        now = schedule.pause(now, thinking);
      }
    }
  }

  private void runOpen(ArrivalTimes arrivals) throws SQLException {
    long now = schedule.now();
    while (true) {
      long intended = schedule.startedAt() + arrivals.take();
      boolean late = now - intended > 0;
      int type = terminal.draw();
      now = schedule.waitFor(intended);
      if (!schedule.running(now)) {
        notStarted += schedule.measuredArrival(intended) ? 1 : 0;
        return;
      }
      attempt.start(intended, now, late);
      now = transaction(type);
    }
  }

  /** Returns the time of its end. */
  private long transaction(int type) throws SQLException {
    boolean again = true;
    while (again) {
      try {
        link.begin();
        Outcome outcome = terminal.execute();
        link.end();
        attempt.end(schedule.now());
        statistics.get(type).ended(attempt, outcome, measured());
        timeline.at(attempt.endedAt()).ended(outcome, attempt.latencyNanos(), attempt.conflicts());
        again = false;
      } catch (SQLException e) {
        again = failed(e, type);
      }
    }
    finished.setRelease(finished.getPlain() + 1);
    return attempt.endedAt();
  }

  /** Returns true if the transaction is to be retried. */
  private boolean failed(SQLException e, int type) throws SQLException {
    attempt.end(schedule.now());
    Failure failure = Failure.of(e, loop.dialect());
    TypeStatistics result = statistics.get(type);
    Interval interval = timeline.at(attempt.endedAt());
    if (failure.kind() == ErrorKind.CONFLICT) {
      link.rollback();
      attempt.conflict(failure);
      if (attempt.conflicts() <= loop.settings().retriesMax() && !schedule.failed()) {
        long from = schedule.now();
        long pause = loop.settings().backsOff() ? backoff.nanosAfter(attempt.conflicts()) : 0;
        attempt.again(from, schedule.backOff(from, pause));
        return true;
      }
      result.gaveUp(attempt, measured());
      interval.gaveUp(attempt.conflicts());
    } else if (failure.kind() == ErrorKind.UNKNOWN_OUTCOME) {
      result.unknown(attempt, failure, measured());
      interval.unknown(attempt.conflicts());
      closeQuietly();
      connect();
    } else if (failure.kind() == ErrorKind.OTHER && loop.factory().allows(type, e)) {
      link.rollback();
      result.expected(attempt, failure, measured());
      interval.ended(Outcome.ROLLED_BACK, attempt.latencyNanos(), attempt.conflicts());
    } else {
      throw e;
    }
    return false;
  }

  private boolean measured() {
    return loop.arrivals() == null
        ? schedule.measured(attempt.intended(), attempt.endedAt())
        : schedule.measuredArrival(attempt.intended());
  }

  private void connect() throws SQLException {
    link = loop.links().open();
    terminal = loop.factory().open(link.connection(), index, incarnation++);
  }

  private void disconnect() throws SQLException {
    terminal.close();
    link.close();
  }

  private void closeQuietly() {
    try {
      if (link != null) {
        link.close();
      }
    } catch (SQLException ignored) {
      // the original error is the one to report
    }
  }

  /** Breaks the connection from another thread, so that a blocked call returns. */
  void abort() {
    Link stuck = link;
    if (stuck != null) {
      stuck.abort();
    }
  }

  /** Returns the number of transactions finished so far. Any thread may call it. */
  long finished() {
    return finished.getAcquire();
  }

  /**
   * Returns the number of arrivals that this terminal took but could not start before the end.
   * Valid after its thread has ended.
   */
  long notStarted() {
    return notStarted;
  }

  /** Returns the statistics, which are complete after the thread has ended. */
  List<TypeStatistics> statistics() {
    return statistics;
  }
}
