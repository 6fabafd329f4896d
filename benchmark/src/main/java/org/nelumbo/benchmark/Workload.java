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
 * A benchmark set up for one database: tables, population, transactions, checks. Created by a
 * {@link WorkloadFactory}. The main thread uses the workload; only the terminals that it opens are
 * used by other threads.
 */
public interface Workload extends TerminalFactory {
  /** Returns the name of the benchmark, as {@link Benchmark#name} does. */
  String name();

  /**
   * Returns the names of the transaction types. {@link org.nelumbo.benchmark.run.Terminal#draw}
   * returns an index into this list.
   */
  List<String> transactionTypes();

  /**
   * Returns the parameters that identify this run in addition to the shared options, for the RESULT
   * line and JSON.
   */
  Map<String, String> parameters();

  /** Returns the tables in the order of their creation. They are dropped in reverse order. */
  List<String> tables();

  /** Creates and fills the tables. */
  void load(LoadProgress progress) throws SQLException, InterruptedException;

  /** Checks the freshly loaded tables. */
  List<CheckResult> checkAfterLoad() throws SQLException;

  /**
   * Returns the reason why the terminals cannot be spread over several processes, or an empty
   * string if they can.
   */
  default String whyOneProcess() {
    return "";
  }

  /**
   * Returns the numbers that this process has collected from its terminals' transactions for the
   * check after the run. Called after the terminals have ended; the process that checks may be
   * another one.
   */
  default List<Long> tally() {
    return List.of();
  }

  /** Adds the tally of another process. */
  default void add(List<Long> tally) {}

  /** Checks the tables after the terminals have ended. */
  List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException;

  /** Returns the headline numbers of the benchmark. */
  List<Metric> metrics(RunStatistics statistics);

  /**
   * Returns the costs of the transactions other than time, or an empty list if they were not
   * counted. Called after the terminals have ended.
   */
  default List<TypeCost> costs() {
    return List.of();
  }

  /**
   * Returns the deviations of this run, with its options, from the specification of the benchmark.
   */
  default List<String> deviations() {
    return List.of();
  }

  /** Returns further remarks that a reader of the numbers needs. */
  List<String> remarks();
}
