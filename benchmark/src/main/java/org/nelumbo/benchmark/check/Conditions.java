package org.nelumbo.benchmark.check;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;

/**
 * A set of conditions on the rows of a database, kept as named queries that return the rows that
 * violate them. Static methods check single numbers.
 */
public final class Conditions {
  private final Database database;
  private final SqlResource queries;
  private final Map<String, String> values;

  /**
   * Creates the conditions of a resource.
   *
   * @param values values of the placeholders in its queries, such as {@code ${customers}}
   */
  public Conditions(Database database, SqlResource queries, Map<String, String> values) {
    this.database = database;
    this.queries = queries;
    this.values = Map.copyOf(values);
  }

  public List<String> names() {
    return queries.names();
  }

  /** Checks the conditions with these names, each in a transaction of its own. */
  public List<CheckResult> check(List<String> names, String moment) throws SQLException {
    List<CheckResult> results = new ArrayList<>();
    try (Connection connection = database.connectToRead()) {
      for (String name : names) {
        results.add(ConditionChecker.check(connection, name, moment, query(name)));
      }
    }
    return results;
  }

  private String query(String name) {
    String query = database.dialect().translate(queries.statement(name));
    for (Map.Entry<String, String> value : values.entrySet()) {
      query = query.replace("${" + value.getKey() + "}", value.getValue());
    }
    return query;
  }

  /** Returns the number that a query computes, or 0 if it is NULL. */
  public static BigDecimal number(Database database, String query) throws SQLException {
    try (Connection connection = database.connectToRead();
        Statement statement = connection.createStatement()) {
      BigDecimal result;
      try (ResultSet row = statement.executeQuery(query)) {
        row.next();
        result = row.getBigDecimal(1);
      }
      connection.rollback();
      return result == null ? BigDecimal.ZERO : result;
    }
  }

  /**
   * Checks that a number lies between two others, both inclusive. The report shows {@code unit}.
   */
  public static CheckResult between(
      String name, String moment, long least, long most, long there, String unit) {
    return there >= least && there <= most
        ? CheckResult.passed(name, moment)
        : CheckResult.failed(
            name, moment, "least=" + least + " most=" + most + " there=" + there + " " + unit);
  }
}
