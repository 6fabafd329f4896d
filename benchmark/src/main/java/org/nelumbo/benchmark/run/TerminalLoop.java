package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.ErrorKind;

/** What the thread of one terminal does, from connecting to closing. */
final class TerminalLoop implements Runnable {
  private final Database database;
  private final TerminalFactory factory;
  private final Schedule schedule;
  private final int index;
  private final int retriesMax;
  private final Backoff backoff;
  private final List<TypeStatistics> statistics;
  private final AtomicLong finished = new AtomicLong();

  private volatile Connection connection;
  private Terminal terminal;
  private int incarnation;

  TerminalLoop(
      Database database,
      TerminalFactory factory,
      Schedule schedule,
      LoopSettings settings,
      int index,
      int types) {
    this.database = database;
    this.factory = factory;
    this.schedule = schedule;
    this.index = index;
    this.retriesMax = settings.retriesMax();
    this.backoff = new Backoff(settings.seed() * 31 + index);
    this.statistics = IntStream.range(0, types).mapToObj(_ -> new TypeStatistics()).toList();
  }

  @Override
  public void run() {
    try {
      connect();
      schedule.readyToGo();
      while (schedule.running()) {
        int type = terminal.draw();
        schedule.pause(terminal.keyingNanos());
        transaction(type, statistics.get(type));
        finished.setRelease(finished.getPlain() + 1);
        schedule.pause(terminal.thinkNanos());
      }
      disconnect();
    } catch (Throwable e) {
      schedule.fail(e);
      closeQuietly();
    }
  }

  private void transaction(int type, TypeStatistics result) throws SQLException {
    long begin = schedule.now();
    int conflicts = 0;
    while (true) {
      try {
        Outcome outcome = terminal.execute();
        long end = schedule.now();
        result.ended(outcome, conflicts, schedule.measured(begin, end), end - begin);
        return;
      } catch (SQLException e) {
        ErrorKind kind = ErrorKind.of(e, database.dialect());
        if (kind == ErrorKind.CONFLICT && ++conflicts <= retriesMax && !schedule.failed()) {
          connection.rollback();
          schedule.backOff(backoff.nanosAfter(conflicts));
        } else {
          endWithError(e, kind, type, begin, conflicts);
          return;
        }
      }
    }
  }

  private void endWithError(SQLException e, ErrorKind kind, int type, long begin, int conflicts)
      throws SQLException {
    long end = schedule.now();
    boolean measured = schedule.measured(begin, end);
    TypeStatistics result = statistics.get(type);
    if (kind == ErrorKind.CONFLICT) {
      connection.rollback();
      result.gaveUp(conflicts, measured);
    } else if (kind == ErrorKind.UNKNOWN_OUTCOME) {
      result.unknown(conflicts, measured);
      closeQuietly();
      connect();
    } else if (kind == ErrorKind.OTHER && factory.allows(type, e)) {
      connection.rollback();
      result.ended(Outcome.ROLLED_BACK, conflicts, measured, end - begin);
    } else {
      throw e;
    }
  }

  private void connect() throws SQLException {
    connection = database.connect();
    terminal = factory.open(connection, index, incarnation++);
  }

  private void disconnect() throws SQLException {
    terminal.close();
    connection.close();
  }

  /** Lets go of a connection that is broken or no longer of use; its errors tell nothing new. */
  private void closeQuietly() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException ignored) {
      // the error that brought us here is the one to report
    }
  }

  /** Breaks the connection from outside, so that a thread stuck in a call comes back. */
  void abort() {
    try {
      Connection stuck = connection;
      if (stuck != null) {
        stuck.abort(Runnable::run);
      }
    } catch (SQLException ignored) {
      // nothing more can be done for this connection
    }
  }

  /** Transactions finished so far; may be read by any thread. */
  long finished() {
    return finished.getAcquire();
  }

  /** Complete once the thread has ended. */
  List<TypeStatistics> statistics() {
    return statistics;
  }
}
