package org.nelumbo.benchmark;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TerminalFactory;

/**
 * A benchmark set up for one database: tables, population, transactions, checks. Made by a {@link
 * WorkloadFactory}; only the terminals it opens are used by other threads than the main one.
 */
public interface Workload extends TerminalFactory {
  /** The benchmark's name, as in {@link Benchmark#name}. */
  String name();

  /** The names of the transaction types; their places are the indexes terminals draw. */
  List<String> transactionTypes();

  /** What identifies this run beside the shared options, for the RESULT line and JSON. */
  Map<String, String> parameters();

  /** The tables in the order of their creation; they are dropped in reverse. */
  List<String> tables();

  /** Creates and fills the tables. */
  void load(LoadProgress progress) throws SQLException, InterruptedException;

  /** Checks the freshly loaded tables. */
  List<CheckResult> checkAfterLoad() throws SQLException;

  /** Why the terminals cannot be spread over several processes; empty if they can. */
  default String whyOneProcess() {
    return "";
  }

  /**
   * What this process has kept of its terminals' transactions for the check after the run, once
   * they have ended: for the process that checks, if that is another one.
   */
  default List<Long> tally() {
    return List.of();
  }

  /** Takes the tally of another process into account. */
  default void add(List<Long> tally) {}

  /** Checks the tables after the terminals have ended. */
  List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException;

  /** The benchmark's headline numbers. */
  List<Metric> metrics(RunStatistics statistics);

  /**
   * What transactions cost apart from time, after the terminals have ended; empty if that was not
   * counted.
   */
  default List<TypeCost> costs() {
    return List.of();
  }

  /** Where this run departs from the benchmark's specification, options taken into account. */
  default List<String> deviations() {
    return List.of();
  }

  /** What else a reader of the numbers must know. */
  List<String> remarks();
}
