package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** One terminal of one type that does what the script says, then commits for ever. */
final class ScriptedTerminals implements TerminalFactory {
  /** What one try does. */
  interface Step {
    Outcome run() throws SQLException;
  }

  private final Queue<Step> script = new ArrayDeque<>();
  final List<Integer> incarnations = new ArrayList<>();
  String allowedState = "";
  int draws;
  int closed;

  ScriptedTerminals commits() {
    script.add(() -> Outcome.COMMITTED);
    return this;
  }

  ScriptedTerminals rollsBack() {
    script.add(() -> Outcome.ROLLED_BACK);
    return this;
  }

  ScriptedTerminals fails(String state, int times) {
    for (int i = 0; i < times; i++) {
      script.add(
          () -> {
            throw new SQLException("scripted", state);
          });
    }
    return this;
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
        return step == null ? Outcome.COMMITTED : step.run();
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
}
