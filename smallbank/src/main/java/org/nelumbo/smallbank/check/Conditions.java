package org.nelumbo.smallbank.check;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.ConditionChecker;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;

/** Conditions on the rows, which hold at any time. */
public final class Conditions {
  private final Database database;
  private final SqlResource conditions;
  private final String customers;

  /** The conditions on so many customers. */
  public Conditions(Database database, int customers, boolean compat) {
    this.database = database;
    this.conditions =
        SqlResource.load(Conditions.class, compat ? "conditions-compat.sql" : "conditions.sql");
    this.customers = Integer.toString(customers);
  }

  /** Checks all of them. */
  public List<CheckResult> check(String moment) throws SQLException {
    List<CheckResult> results = new ArrayList<>();
    try (Connection connection = database.connectToRead()) {
      for (String name : conditions.names()) {
        String query =
            database
                .dialect()
                .translate(conditions.statement(name))
                .replace("${customers}", customers);
        results.add(ConditionChecker.check(connection, name, moment, query));
      }
    }
    return results;
  }
}
