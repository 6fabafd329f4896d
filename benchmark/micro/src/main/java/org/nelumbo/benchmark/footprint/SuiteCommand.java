package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench suite}. It measures the pattern of a test suite: many small
 * databases in one JVM, most of whose statements run once. The runs of the databases alternate.
 */
@Command(name = "suite", mixinStandardHelpOptions = true, sortOptions = false)
final class SuiteCommand implements Callable<Integer> {
  private static final Pattern TOTAL = Pattern.compile("total_ms=(\\d+)");

  @Spec private CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "jdbc:nelumbo:mem:,jdbc:h2:mem:,jdbc:hsqldb:mem:",
      split = ",",
      description = "Databases in the process, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<String> urls;

  @Option(
      names = "--databases",
      paramLabel = "N",
      defaultValue = "60",
      description = "Fresh databases in one JVM (default: ${DEFAULT-VALUE}).")
  private int databases;

  @Option(
      names = "--tables",
      paramLabel = "N",
      defaultValue = "12",
      description = "Tables of each database (default: ${DEFAULT-VALUE}).")
  private int tables;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "20",
      description = "Rows of each table (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "40",
      description = "Statements of different texts (default: ${DEFAULT-VALUE}).")
  private int queries;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "7",
      description = "Runs of each database; the median is shown (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Override
  public Integer call() throws InterruptedException {
    if (databases < 1 || tables < 2 || rows < 1 || queries < 0 || runs < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--databases, --rows and --runs must be at least 1, --tables at least 2");
    }
    PrintWriter out = spec.commandLine().getOut();
    Map<String, List<String>> lines = new TreeMap<>();
    int status = ExitStatus.DONE;
    for (int run = 0; run < runs; run++) {
      for (String url : urls) {
        try {
          lines.computeIfAbsent(url, _ -> new ArrayList<>()).add(measure(url));
        } catch (IOException | SQLException e) {
          spec.commandLine().getErr().println("error: " + url + ": " + e.getMessage());
          status = ExitStatus.FAILED;
        }
      }
    }
    for (String url : urls) {
      List<String> all = lines.getOrDefault(url, List.of());
      if (!all.isEmpty()) {
        List<String> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingLong(SuiteCommand::total));
        out.println(
            "SUITE url="
                + url
                + " databases="
                + databases
                + " runs="
                + sorted.size()
                + " "
                + sorted.get(sorted.size() / 2));
      }
    }
    return status;
  }

  private String measure(String url) throws IOException, SQLException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(url);
    for (int each : new int[] {databases, tables, rows, queries}) {
      arguments.add(Integer.toString(each));
    }
    return new Probe(List.of(), ProbePath.of(url), SuiteProbe.class, arguments).run().line();
  }

  private static long total(String line) {
    Matcher total = TOTAL.matcher(line);
    return total.find() ? Long.parseLong(total.group(1)) : Long.MAX_VALUE;
  }
}
