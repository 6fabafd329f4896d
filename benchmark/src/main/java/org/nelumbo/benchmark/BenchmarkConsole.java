package org.nelumbo.benchmark;

import java.io.PrintWriter;
import java.util.List;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.report.ResultLine;
import org.nelumbo.benchmark.report.ResultTable;
import org.nelumbo.benchmark.report.RunResult;

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

  void running(int terminals, long warmupSeconds, long seconds) {
    line("%d terminals, %d s warm-up, %d s measured", terminals, warmupSeconds, seconds);
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
    out.println(String.format(java.util.Locale.ROOT, format, arguments));
    out.flush();
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
