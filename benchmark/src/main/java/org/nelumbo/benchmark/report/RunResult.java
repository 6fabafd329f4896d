package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;

/**
 * Everything a run found out.
 *
 * @param benchmark its name
 * @param database what was measured
 * @param terminals number of clients
 * @param seed of all random inputs
 * @param parameters the benchmark's own options, in order
 * @param setup how the run was started
 * @param host the machine and the program that measured
 * @param loadSeconds time to create and fill the tables
 * @param warmup the time before anything counted
 * @param measuredSeconds time that counts
 * @param load how transactions were sent
 * @param types one entry a transaction type
 * @param total all types together
 * @param timeline the run second by second, warm-up included
 * @param usage what the process used in the measured time
 * @param metrics the benchmark's headline numbers
 * @param costs what transactions cost apart from time; empty if that was not counted
 * @param checks what was checked; empty if checking was off
 * @param deviations where the run departs from the benchmark's specification
 * @param remarks what else a reader must know, such as peculiarities of the product
 * @param processes one for each process that has run terminals, if there were several
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
   * What was measured.
   *
   * @param url without passwords
   * @param api {@code jdbc} or {@code native}
   * @param product name of the database product
   * @param version of the product
   * @param driver name and version of the JDBC driver
   * @param isolation name of the level asked for
   * @param meaning what this level is in this product
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
   * How the run was started.
   *
   * @param startedAt date and time in UTC, ISO 8601
   * @param command the command line that repeats it, without passwords
   * @param options every option with its value, given or not, without passwords
   */
  public record Setup(String startedAt, String command, Map<String, String> options) {}

  /** Committed transactions of all types a second. */
  public double committedPerSecond() {
    return total.committed() / measuredSeconds;
  }

  /** {@code true}, {@code false}, or {@code unchecked}. */
  public String consistent() {
    if (checks.isEmpty()) {
      return "unchecked";
    }
    return Boolean.toString(checks.stream().allMatch(CheckResult::passed));
  }
}
