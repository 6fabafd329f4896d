package org.nelumbo.benchmark.console;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.report.CostTable;
import org.nelumbo.benchmark.report.DetailLines;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.report.ProcessTable;
import org.nelumbo.benchmark.report.ResultLine;
import org.nelumbo.benchmark.report.ResultTable;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.run.LoopSettings;
import org.nelumbo.benchmark.run.OfferedRate;

/** The console output of a run, in the order of its phases. */
public final class BenchmarkConsole {
  private static final double MILLIS_PER_SECOND = 1e3;

  /** Metrics below this value are shown with one decimal. */
  private static final double SMALL_METRIC = 1_000;

  private final PrintWriter out;
  private final PrintWriter err;

  public BenchmarkConsole(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  public void target(String benchmark, RunResult.Target target) {
    line(benchmark + " on " + target.product() + " " + target.version() + ", " + target.url());
    line("isolation " + target.isolation() + ": " + target.meaning());
  }

  public void loaded(double seconds) {
    line(String.format(Locale.ROOT, "loaded in %.1f s", seconds));
  }

  public void checks(List<CheckResult> results) {
    if (results.isEmpty()) {
      return;
    }
    List<CheckResult> failed = results.stream().filter(r -> !r.passed()).toList();
    String moment = results.getFirst().moment();
    int held = results.size() - failed.size();
    line(moment + ": " + held + " of " + results.size() + " checks hold");
    for (CheckResult check : failed) {
      line(
          "CHECK FAILED " + check.name() + " (" + moment + "): " + check.offendingRows() + " rows");
      check.sample().forEach(row -> line("  " + row));
    }
  }

  public void running(LoopSettings settings) {
    double warmup = settings.warmup().longest().toMillis() / MILLIS_PER_SECOND;
    line(
        String.format(
            Locale.ROOT,
            "terminals: %d, %s, warm-up: %s%.1f s, measured: %.1f s",
            settings.terminals(),
            settings.rate().map(BenchmarkConsole::open).orElse("closed loop"),
            settings.warmup().automatic() ? "until steady, at most " : "",
            warmup,
            settings.duration().toMillis() / MILLIS_PER_SECOND));
  }

  private static String open(OfferedRate rate) {
    return String.format(
        Locale.ROOT,
        "open loop: %,.0f/s arrive (%s)",
        rate.perSecond(),
        rate.arrivals().name().toLowerCase(Locale.ROOT));
  }

  public void result(RunResult result) {
    line("");
    ResultTable.lines(result).forEach(this::line);
    line("");
    List<String> details = DetailLines.of(result);
    details.forEach(this::line);
    line("");
    List<String> processes = ProcessTable.lines(result);
    if (!processes.isEmpty()) {
      processes.forEach(this::line);
      line("");
    }
    List<String> costs = CostTable.lines(result);
    if (!costs.isEmpty()) {
      costs.forEach(this::line);
      line("");
    }
    for (Metric metric : result.metrics()) {
      String format = Math.abs(metric.value()) < SMALL_METRIC ? "%,.1f %s" : "%,.0f %s";
      line(String.format(Locale.ROOT, format, metric.value(), metric.label()));
    }
    result.deviations().forEach(deviation -> line("deviation: " + deviation));
    result.remarks().forEach(remark -> line("note: " + remark));
    line(ResultLine.of(result));
  }

  public PrintWriter out() {
    return out;
  }

  public void line(String text) {
    out.println(text);
    out.flush();
  }

  public void error(String message) {
    err.println("error: " + message);
    err.flush();
  }

  public void trace(Throwable cause) {
    cause.printStackTrace(err);
    err.flush();
  }
}
