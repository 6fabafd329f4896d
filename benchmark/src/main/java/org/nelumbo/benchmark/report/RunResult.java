package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;

/**
 * The complete result of a run.
 *
 * @param benchmark name of the benchmark
 * @param database the measured database
 * @param terminals number of clients
 * @param seed seed of all random inputs
 * @param parameters the benchmark's own options, in order
 * @param setup description of how the run was started
 * @param host the machine and the program that measured
 * @param loadSeconds time to create and fill the tables
 * @param warmup the time before the measured time
 * @param measuredSeconds length of the measured time
 * @param load the load of the run
 * @param types one entry per transaction type
 * @param total the sum of all types
 * @param timeline the run second by second, warm-up included
 * @param usage resources that the process used in the measured time
 * @param metrics the benchmark's headline numbers
 * @param costs costs of transactions other than time; empty if they were not counted
 * @param checks results of the checks; empty if checking was off
 * @param deviations deviations of the run from the benchmark's specification
 * @param remarks further remarks for readers, such as peculiarities of the product
 * @param processes one entry for each process that has run terminals, if there were several
 */
public record RunResult(
    String benchmark,
    Target database,
    int terminals,
    long seed,
    Map<String, String> parameters,
    Setup setup,
    Host host,
    double loadSeconds,
    WarmupPhase warmup,
    double measuredSeconds,
    LoadResult load,
    List<TypeResult> types,
    TypeResult total,
    List<IntervalResult> timeline,
    UsageResult usage,
    List<Metric> metrics,
    List<TypeCost> costs,
    List<CheckResult> checks,
    List<String> deviations,
    List<String> remarks,
    List<ProcessResult> processes) {

  /**
   * The measured database.
   *
   * @param url URL without passwords
   * @param api {@code jdbc} or {@code native}
   * @param product name of the database product
   * @param version version of the product
   * @param driver name and version of the JDBC driver
   * @param isolation name of the requested isolation level
   * @param meaning guarantees of this level in this product
   */
  public record Target(
      String url,
      String api,
      String product,
      String version,
      String driver,
      String isolation,
      String meaning) {}

  /**
   * The way the run was started.
   *
   * @param startedAt date and time in UTC, ISO 8601
   * @param command command line that repeats the run, without passwords
   * @param options every option with its value, given or not, without passwords
   */
  public record Setup(String startedAt, String command, Map<String, String> options) {}

  /** Returns the committed transactions of all types per second. */
  public double committedPerSecond() {
    return total.committed() / measuredSeconds;
  }

  /** Returns {@code true}, {@code false}, or {@code unchecked}. */
  public String consistent() {
    if (checks.isEmpty()) {
      return "unchecked";
    }
    return Boolean.toString(checks.stream().allMatch(CheckResult::passed));
  }
}
