package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * One terminal with one transaction type that runs the steps of a script and then commits forever.
 * Each try takes a millisecond of a virtual clock unless the script sets another time.
 */
final class ScriptedTerminals implements TerminalFactory, Links {
  /** The outcome of one try. */
  interface Step {
    Outcome run() throws SQLException;
  }

  private final VirtualClock clock;
  private final Queue<Step> script = new ArrayDeque<>();
  final List<Integer> incarnations = new ArrayList<>();
  final List<String> calls = new ArrayList<>();
  String allowedState = "";
  int draws;
  int closed;
  long keyingNanos;
  long thinkNanos;

  ScriptedTerminals(VirtualClock clock) {
    this.clock = clock;
  }

  ScriptedTerminals commits() {
    return commitsAfter(1);
  }

  ScriptedTerminals commitsAfter(long millis) {
    script.add(() -> after(millis, Outcome.COMMITTED));
    return this;
  }

  ScriptedTerminals rollsBack() {
    script.add(() -> after(1, Outcome.ROLLED_BACK));
    return this;
  }

  ScriptedTerminals fails(String state, int times) {
    for (int i = 0; i < times; i++) {
      script.add(
          () -> {
            after(1, Outcome.ROLLED_BACK);
            throw new SQLException("scripted", state);
          });
    }
    return this;
  }

  private Outcome after(long millis, Outcome outcome) {
    clock.pass(TimeUnit.MILLISECONDS.toNanos(millis));
    return outcome;
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) {
    incarnations.add(incarnation);
    return new Terminal() {
      @Override
      public int draw() {
        draws++;
        return 0;
      }

      @Override
      public Outcome execute() throws SQLException {
        Step step = script.poll();
        return step == null ? after(1, Outcome.COMMITTED) : step.run();
      }

      @Override
      public long keyingNanos() {
        return keyingNanos;
      }

      @Override
      public long thinkNanos() {
        return thinkNanos;
      }

      @Override
      public void close() {
        closed++;
      }
    };
  }

  @Override
  public boolean allows(int type, SQLException error) {
    return allowedState.equals(error.getSQLState());
  }

  /** Opens a link without a database that records the calls. */
  @Override
  public Link open() {
    return new Link() {
      @Override
      public Connection connection() {
        return null;
      }

      @Override
      public void begin() {
        note("begin");
      }

      @Override
      public void end() {
        note("end");
      }

      @Override
      public void rollback() {
        note("rollback");
      }

      @Override
      public void abort() {
        note("abort");
      }

      @Override
      public void close() {
        note("close");
      }
    };
  }

  private void note(String call) {
    if (calls.size() < 10) {
      calls.add(call);
    }
  }
}
