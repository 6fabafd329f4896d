package org.nelumbo.benchmark;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.report.ResultLine;
import org.nelumbo.benchmark.report.ResultTable;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.run.LoopSettings;

/** What a run prints, in the order of its life. */
final class BenchmarkConsole {
  private final PrintWriter out;
  private final PrintWriter err;

  BenchmarkConsole(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  void target(String benchmark, RunResult.Target target) {
    line("%s on %s %s, %s", benchmark, target.product(), target.version(), target.url());
    line("isolation %s: %s", target.isolation(), target.meaning());
  }

  void loaded(double seconds) {
    line("loaded in %.1f s", seconds);
  }

  void checks(List<CheckResult> results) {
    List<CheckResult> failed = results.stream().filter(r -> !r.passed()).toList();
    if (results.isEmpty()) {
      return;
    }
    String moment = results.getFirst().moment();
    line("%s: %d of %d checks hold", moment, results.size() - failed.size(), results.size());
    for (CheckResult check : failed) {
      line("CHECK FAILED %s (%s): %d rows", check.name(), moment, check.offendingRows());
      check.sample().forEach(row -> line("  %s", row));
    }
  }

  void running(LoopSettings settings) {
    line(
        "terminals: %d, warm-up: %.1f s, measured: %.1f s",
        settings.terminals(), seconds(settings.warmup()), seconds(settings.duration()));
  }

  void result(RunResult result) {
    out.println();
    ResultTable.lines(result).forEach(out::println);
    out.println();
    for (Metric metric : result.metrics()) {
      line("%,.0f %s", metric.value(), metric.label());
    }
    result.remarks().forEach(remark -> line("note: %s", remark));
    out.println(ResultLine.of(result));
    out.flush();
  }

  void line(String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
    out.flush();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1e3;
  }

  void error(String message) {
    err.println("error: " + message);
    err.flush();
  }

  void trace(Throwable cause) {
    cause.printStackTrace(err);
    err.flush();
  }
}
