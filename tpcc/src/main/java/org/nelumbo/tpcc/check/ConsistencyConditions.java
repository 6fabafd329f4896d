package org.nelumbo.tpcc.check;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.ConditionChecker;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.tpcc.data.Population;

/** The twelve consistency conditions, clauses 3.3.2.1 to 3.3.2.12. */
public final class ConsistencyConditions {
  /** A condition that holds only after the load, because deliveries violate it. */
  private static final String ONLY_AFTER_LOAD = "3.3.2.11 ";

  /**
   * Conditions that the prototypes' variant violates, because it delivers orders in any sequence.
   */
  private static final List<String> NOT_IN_COMPAT = List.of("3.3.2.2 ", "3.3.2.3 ");

  private final Database database;
  private final SqlResource conditions;
  private final String delivered;
  private final boolean compat;

  /**
   * Creates the conditions for a population, without those that the prototypes' variant violates if
   * {@code compat} is true.
   */
  public ConsistencyConditions(Database database, Population population, boolean compat) {
    this.compat = compat;
    this.database = database;
    this.conditions = SqlResource.load(ConsistencyConditions.class, "conditions.sql");
    this.delivered = Integer.toString(population.deliveredPerDistrict());
  }

  /** Checks all twelve conditions. */
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return check("after load", conditions.names());
  }

  /** Checks the conditions that hold at any time. */
  public List<CheckResult> checkAfterRun() throws SQLException {
    return check(
        "after run",
        conditions.names().stream()
            .filter(name -> !name.startsWith(ONLY_AFTER_LOAD))
            .filter(name -> !compat || NOT_IN_COMPAT.stream().noneMatch(name::startsWith))
            .toList());
  }

  private List<CheckResult> check(String moment, List<String> names) throws SQLException {
    List<CheckResult> results = new ArrayList<>();
    try (Connection connection = database.connectToRead()) {
      for (String name : names) {
        String query =
            database
                .dialect()
                .translate(conditions.statement(name))
                .replace("${delivered}", delivered);
        results.add(ConditionChecker.check(connection, name, moment, query));
      }
    }
    return results;
  }
}
