package org.nelumbo.sqlgen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;

class ScenarioChecksTest {
  private static final int SCENARIOS = 60;

  private static DatabasePair run(Connection tested) throws SQLException, IOException {
    Dice dice = new Dice(3);
    try (DatabaseSession first = new DatabaseSession("tested", tested, true);
        DatabaseSession second =
            new DatabaseSession("other", DriverManager.getConnection("jdbc:nelumbo:mem:"), false)) {
      DatabasePair pair =
          new DatabasePair(3, dice, List.of(first), second, new Recording.Recorder(null));
      ScenarioChecks checks = new ScenarioChecks(dice, pair);
      for (int i = 0; i < SCENARIOS && pair.isAlike(); i++) {
        checks.run();
      }
      return pair;
    }
  }

  /**
   * No statement of a scenario is refused, and its results are the same with and without
   * parameters.
   */
  @Test
  void shouldRunScenarios() throws Exception {
    DatabasePair pair = run(DriverManager.getConnection("jdbc:nelumbo:mem:"));
    assertEquals(List.of(), pair.findings());
    assertTrue(pair.isAlike());
    assertEquals(pair.statements(), pair.verdicts().get(Verdict.AGREE));
  }

  @Test
  void shouldReportDifferences() throws Exception {
    Connection wrong = DriverManager.getConnection("jdbc:nelumbo:mem:");
    assertEquals("difference", run(ForgetfulConnection.of(wrong)).findings().getFirst().kind());
  }
}
