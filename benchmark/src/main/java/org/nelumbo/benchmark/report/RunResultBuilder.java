package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.run.LoopSettings;
import org.nelumbo.benchmark.run.RunStatistics;

/** Puts a result together from what a run knows at its beginning and at its end. */
public final class RunResultBuilder {
  private static final double NANOS_PER_SECOND = 1e9;

  private final String benchmark;
  private final RunResult.Target target;
  private final RunResult.Setup setup;
  private final Map<String, String> parameters;
  private final LoopSettings settings;
  private final Host host = HostFacts.now();

  /** A result of a run that begins now. */
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
   * What the benchmark has to say in the end.
   *
   * @param types names of the transaction types
   * @param metrics headline numbers
   * @param costs what transactions cost apart from time
   * @param checks all of them
   * @param deviations from the specification
   * @param remarks what else a reader must know
   * @param processes one for each process, if there were several
   */
  public record Findings(
      List<String> types,
      List<Metric> metrics,
      List<TypeCost> costs,
      List<CheckResult> checks,
      List<String> deviations,
      List<String> remarks,
      List<ProcessResult> processes) {}

  /** The result; collects garbage to see how much heap is needed. */
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
