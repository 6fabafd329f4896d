package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.run.LoopSettings;
import org.nelumbo.benchmark.run.RunStatistics;

/** Builds the result of a run from data that is available at its beginning and at its end. */
public final class RunResultBuilder {
  private static final double NANOS_PER_SECOND = 1e9;

  private final String benchmark;
  private final RunResult.Target target;
  private final RunResult.Setup setup;
  private final Map<String, String> parameters;
  private final LoopSettings settings;
  private final Host host = HostFacts.now();

  /** Creates a builder for a run that begins now. */
  public RunResultBuilder(
      String benchmark,
      RunResult.Target target,
      RunResult.Setup setup,
      Map<String, String> parameters,
      LoopSettings settings) {
    this.benchmark = benchmark;
    this.target = target;
    this.setup = setup;
    this.parameters = parameters;
    this.settings = settings;
  }

  /**
   * The data that is available at the end of a run.
   *
   * @param types names of the transaction types
   * @param metrics headline numbers
   * @param costs costs of transactions other than time
   * @param checks results of all checks
   * @param deviations deviations from the specification
   * @param remarks further remarks for readers
   * @param processes one entry for each process, if there were several
   */
  public record Findings(
      List<String> types,
      List<Metric> metrics,
      List<TypeCost> costs,
      List<CheckResult> checks,
      List<String> deviations,
      List<String> remarks,
      List<ProcessResult> processes) {}

  /** Builds the result. Collects garbage to measure the heap that is in use. */
  public RunResult build(double loadSeconds, RunStatistics statistics, Findings findings) {
    List<TypeResult> types =
        IntStream.range(0, findings.types().size())
            .mapToObj(i -> TypeResult.of(findings.types().get(i), statistics.types().get(i)))
            .toList();
    return new RunResult(
        benchmark,
        target,
        settings.terminals(),
        settings.seed(),
        parameters,
        setup,
        host,
        loadSeconds,
        new WarmupPhase(
            statistics.warmup().length().toNanos() / NANOS_PER_SECOND,
            settings.warmup().automatic(),
            statistics.warmup().steady()),
        statistics.measured().toNanos() / NANOS_PER_SECOND,
        LoadResult.of(settings.rate(), statistics),
        types,
        TypeResult.of("all", statistics.total()),
        IntervalResult.of(statistics.timeline()),
        UsageResult.of(statistics.usage(), HostFacts.heapAfterCollection(), HostFacts.resident()),
        findings.metrics(),
        findings.costs(),
        findings.checks(),
        findings.deviations(),
        findings.remarks(),
        findings.processes());
  }
}
