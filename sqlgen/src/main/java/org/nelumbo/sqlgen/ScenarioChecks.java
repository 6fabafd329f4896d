package org.nelumbo.sqlgen;

/**
 * A runner of scenarios in the tested database and in PostgreSQL, which compares each statement.
 * Scenarios contain only features of PostgreSQL, none of which the tested database may refuse as
 * unsupported.
 */
final class ScenarioChecks {
  private static final String UNSUPPORTED = "0A000";

  private final ScenarioMaker maker;
  private final DatabasePair pair;

  ScenarioChecks(Dice dice, DatabasePair pair) {
    this.maker = new ScenarioMaker(dice);
    this.pair = pair;
  }

  void run() {
    Scenario scenario = maker.scenario();
    scenario.tables().forEach(pair::drop);
    for (GeneratedStatement statement : scenario.statements()) {
      if (!pair.isAlike()) {
        return;
      }
      Outcome outcome = pair.run(pair.session(), statement);
      if (outcome instanceof Outcome.Failure failure && failure.sqlState().equals(UNSUPPORTED)) {
        pair.add(new FailedCheck("refused", statement.plain() + "\n  " + failure));
      }
    }
    scenario.tables().reversed().forEach(pair::drop);
  }
}
