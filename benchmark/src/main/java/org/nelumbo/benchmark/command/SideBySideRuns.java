package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.console.BenchmarkConsole;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.forked.ForkedResult;
import org.nelumbo.benchmark.report.Comparison;
import org.nelumbo.benchmark.report.HtmlReport;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.run.FlightRecording;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Measures several databases in turn, in several rounds, and compares them. Every measurement has a
 * process of its own, so that no database inherits another's garbage, threads or compiled code.
 * Each round starts with the next database, so that no database always runs first.
 */
final class SideBySideRuns {
  private final CommandSpec command;
  private final BenchmarkOptions options;
  private final BenchmarkConsole console;
  private int measured;

  SideBySideRuns(CommandSpec command, BenchmarkOptions options, BenchmarkConsole console) {
    this.command = command;
    this.options = options;
    this.console = console;
  }

  int run(List<DatabaseUrl> urls) throws InterruptedException {
    List<List<RunResult>> results = new ArrayList<>();
    urls.forEach(_ -> results.add(new ArrayList<>()));
    int status = ExitStatus.DONE;
    try {
      for (int round = 0; round < options.rounds; round++) {
        for (int turn = 0; turn < urls.size(); turn++) {
          int which = (round + turn) % urls.size();
          console.line(
              "== round " + (round + 1) + " of " + options.rounds + ": " + urls.get(which));
          int ended = measure(urls.get(which), round > 0, results.get(which));
          if (ended != ExitStatus.DONE && ended != ExitStatus.FAILED) {
            return ended;
          }
          status = Math.max(status, ended);
        }
      }
      return compare(urls, results) ? status : ExitStatus.FAILED;
    } catch (IOException e) {
      console.error(e.getMessage());
      return ExitStatus.FAILED;
    }
  }

  private int measure(DatabaseUrl url, boolean replace, List<RunResult> results)
      throws IOException, InterruptedException {
    ForkedResult forkedResult =
        ForkedResult.of(BenchmarkMain.class, words(url, replace), options.password, null);
    results.addAll(forkedResult.results());
    return forkedResult.status();
  }

  private List<String> words(DatabaseUrl url, boolean replace) {
    List<String> words = new ArrayList<>(List.of(command.name()));
    words.addAll(CommandLines.repeatedOptions(command));
    words.addAll(List.of("--url", url.text(), "--seed", Long.toString(options.seed())));
    if (options.jfr != null) {
      measured++;
      Path recording = FlightRecording.fileOf(options.jfr, measured, url.product());
      words.addAll(List.of("--jfr", recording.toString()));
    }
    if (replace || options.output.replace) {
      words.add("--replace");
    }
    return words;
  }

  private boolean compare(List<DatabaseUrl> urls, List<List<RunResult>> results)
      throws IOException {
    Comparison comparison = new Comparison();
    List<RunResult> all = new ArrayList<>();
    for (int i = 0; i < urls.size(); i++) {
      if (results.get(i).size() < options.rounds) {
        console.error("no complete result for " + urls.get(i));
        return false;
      }
      for (RunResult result : results.get(i)) {
        comparison.add(urls.get(i).masked(), result);
        all.add(result);
      }
    }
    comparison.lines().forEach(console::line);
    String line = CommandLines.whole(command, options);
    ResultFiles.write(
        all, HtmlReport.Frame.of(all, line), options.output.json, options.output.html);
    return true;
  }
}
