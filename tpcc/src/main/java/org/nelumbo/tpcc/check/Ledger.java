package org.nelumbo.tpcc.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.terminal.TransactionType;

/**
 * Compares the transactions that the terminals counted as committed with the rows in the database:
 * no committed transaction may be missing or appear twice. A transaction whose outcome is unknown
 * may or may not have an effect.
 */
public final class Ledger {
  private static final String MOMENT = "after run";

  private final Database database;
  private final SqlResource queries;
  private final long districts;
  private final Population population;

  public Ledger(Database database, Population population, int warehouses) {
    this.database = database;
    this.queries = SqlResource.load(Ledger.class, "ledger.sql");
    this.districts = (long) warehouses * Population.DISTRICTS;
    this.population = population;
  }

  /** Compares the numbers of new orders and payments. */
  public List<CheckResult> check(RunStatistics statistics) throws SQLException {
    long ordersLoaded = districts * (population.ordersPerDistrict() + 1);
    long paymentsLoaded = districts * population.customersPerDistrict();
    return List.of(
        compare("new orders", ordersLoaded, of(statistics, TransactionType.NEW_ORDER)),
        compare("payments", paymentsLoaded, of(statistics, TransactionType.PAYMENT)));
  }

  private CheckResult compare(String what, long loaded, TypeStatistics told) throws SQLException {
    long there = query(what) - loaded;
    long least = told.committedInAll();
    long most = least + told.unknownInAll();
    String name = "ledger of " + what;
    return there >= least && there <= most
        ? CheckResult.passed(name, MOMENT)
        : CheckResult.failed(
            name, MOMENT, "committed=" + least + " unknown=" + (most - least) + " there=" + there);
  }

  private long query(String name) throws SQLException {
    try (Connection connection = database.connectToRead();
        Statement statement = connection.createStatement()) {
      long result;
      try (ResultSet row = statement.executeQuery(queries.statement(name))) {
        row.next();
        result = row.getLong(1);
      }
      connection.rollback();
      return result;
    }
  }

  private static TypeStatistics of(RunStatistics statistics, TransactionType type) {
    return statistics.types().get(type.ordinal());
  }
}
