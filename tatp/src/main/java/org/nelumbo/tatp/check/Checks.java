package org.nelumbo.tatp.check;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.tatp.load.Loaded;
import org.nelumbo.tatp.terminal.TransactionType;

/**
 * Checks rows and row counts: the conditions, the ratios of the tables after the load, and after a
 * run that exactly the committed call forwardings exist.
 */
public final class Checks {
  /**
   * A condition that holds only after the load, because transactions draw the end of a call
   * forwarding independently of its start.
   */
  private static final String ONLY_AFTER_LOAD = "call forwarding ends";

  /** Variance of the rows of a table per subscriber. */
  private static final double VARIANCE_OF_TYPES = 1.25;

  private static final double VARIANCE_OF_FORWARDINGS = 1.25 * 2.5 + 1.5 * 1.5 * 1.25;

  /**
   * Standard deviations by which a sum may differ from its mean; a larger difference happens once
   * in 500 million loads.
   */
  private static final double SIGMAS = 6;

  private final Database database;
  private final Conditions conditions;
  private final SqlResource counts = SqlResource.load(Checks.class, "ledger.sql");

  public Checks(Database database) {
    this.database = database;
    this.conditions =
        new Conditions(database, SqlResource.load(Checks.class, "conditions.sql"), Map.of());
  }

  /** Checks the freshly loaded tables. */
  public List<CheckResult> afterLoad(int subscribers) throws SQLException {
    String moment = "after load";
    List<CheckResult> results = new ArrayList<>(conditions.check(conditions.names(), moment));
    double n = subscribers;
    results.add(ratio(moment, "subscriber", n, 1, 0));
    results.add(ratio(moment, "access_info", n, 2.5, VARIANCE_OF_TYPES));
    results.add(ratio(moment, "special_facility", n, 2.5, VARIANCE_OF_TYPES));
    results.add(ratio(moment, "call_forwarding", n, 3.75, VARIANCE_OF_FORWARDINGS));
    return results;
  }

  /** Checks the tables after the terminals have ended. */
  public List<CheckResult> afterRun(Loaded loaded, RunStatistics statistics) throws SQLException {
    String moment = "after run";
    List<String> names =
        conditions.names().stream().filter(name -> !name.startsWith(ONLY_AFTER_LOAD)).toList();
    List<CheckResult> results = new ArrayList<>(conditions.check(names, moment));
    results.add(between(moment, "subscriber", loaded.subscribers(), loaded.subscribers()));
    results.add(between(moment, "access_info", loaded.accessInfos(), loaded.accessInfos()));
    long facilities = loaded.specialFacilities();
    results.add(between(moment, "special_facility", facilities, facilities));
    TypeStatistics inserts = of(statistics, TransactionType.INSERT_CALL_FORWARDING);
    TypeStatistics deletes = of(statistics, TransactionType.DELETE_CALL_FORWARDING);
    long sum = loaded.forwardings() + inserts.committedInAll() - deletes.committedInAll();
    results.add(
        between(
            moment, "call_forwarding", sum - deletes.unknownInAll(), sum + inserts.unknownInAll()));
    return results;
  }

  /** Checks that the number of rows per subscriber is within its random variation. */
  private CheckResult ratio(
      String moment, String table, double subscribers, double each, double variance)
      throws SQLException {
    double spread = SIGMAS * Math.sqrt(variance * subscribers);
    long least = (long) Math.ceil(subscribers * each - spread);
    long most = (long) Math.floor(subscribers * each + spread);
    return result("rows of " + table + " = " + each + " a subscriber", moment, table, least, most);
  }

  private CheckResult between(String moment, String table, long least, long most)
      throws SQLException {
    return result("ledger of " + table, moment, table, least, most);
  }

  private CheckResult result(String name, String moment, String table, long least, long most)
      throws SQLException {
    long there = Conditions.number(database, counts.statement(table)).longValueExact();
    return Conditions.between(name, moment, least, most, there, "rows");
  }

  private static TypeStatistics of(RunStatistics statistics, TransactionType type) {
    return statistics.types().get(type.ordinal());
  }
}
