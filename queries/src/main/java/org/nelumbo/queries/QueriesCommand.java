package org.nelumbo.queries;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.IsolationLevel;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench queries}. It loads a suite into each database, runs its queries
 * one after the other, and prints a table with the median time of each query and a comparison of
 * the results.
 */
@Command(name = "queries", mixinStandardHelpOptions = true, sortOptions = false)
final class QueriesCommand implements Callable<Integer> {
  /** The suites. */
  enum Suite {
    TPCH,
    CH
  }

  private static final double LEAST_SCALE = 0.01;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SUITE", description = "Suite: ${COMPLETION-CANDIDATES}.")
  private Suite suite;

  @Option(
      names = "--scale",
      paramLabel = "N",
      description = "TPC-H: scale factor (default: 0.1); CH: number of warehouses (default: 1).")
  private Double scale;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "jdbc:nelumbo:mem:queries",
      split = "\\|",
      description =
          "Empty database; give several to compare them with the first"
              + " (default: ${DEFAULT-VALUE}).")
  private List<String> urls;

  @Option(names = "--driver-jar", paramLabel = "JAR", description = "Jar with a JDBC driver.")
  private List<Path> driverJars = List.of();

  @Option(names = "--runs", paramLabel = "N", defaultValue = "5", description = "Runs per query.")
  private int runs;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Time limit of a query (default: ${DEFAULT-VALUE}).")
  private int timeout;

  @Option(
      names = "--only",
      paramLabel = "QUERY",
      split = ",",
      description = "Queries to run, such as Q1,Q5 (default: all).")
  private List<String> only = List.of();

  @Option(
      names = "--explain",
      paramLabel = "WORDS",
      arity = "0..1",
      fallbackValue = "EXPLAIN",
      description = "Also show the plan of each query; WORDS precede the query (default: EXPLAIN).")
  private String explain;

  @Override
  public Integer call() throws InterruptedException {
    if (runs < 1 || timeout < 1 || scale != null && scale <= 0) {
      throw new ParameterException(
          spec.commandLine(), "--runs, --timeout and --scale must be more than 0");
    }
    QuerySuite queries = suite();
    List<String> names =
        queries.queries().names().stream()
            .filter(each -> only.isEmpty() || only.contains(each))
            .toList();
    if (!queries.queries().names().containsAll(only)) {
      throw new ParameterException(
          spec.commandLine(), "--only: the queries are " + queries.queries().names());
    }
    Map<String, Map<String, SuiteRun.Measured>> all = new LinkedHashMap<>();
    try {
      for (String text : urls) {
        DatabaseUrl url = new DatabaseUrl(text).fresh("queries");
        try (Database database =
            Database.open(
                url,
                new DriverFinder(driverJars),
                new Properties(),
                IsolationLevel.READ_COMMITTED)) {
          err("loading " + url);
          queries.load(database);
          database.executeAll(database.dialect().afterLoad());
          String name = database.productName() + " " + database.productVersion();
          all.put(
              all.containsKey(name) ? name + " at " + url : name,
              new SuiteRun(runs, timeout, explain)
                  .run(database, queries.queries(), names, this::err));
        }
      }
    } catch (SQLException e) {
      err("nelumbo: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
    return print(names, all) ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private QuerySuite suite() {
    return switch (suite) {
      case TPCH -> {
        if (scale != null && scale < LEAST_SCALE) {
          throw new ParameterException(
              spec.commandLine(), "--scale: at least " + LEAST_SCALE + ", or keys are not unique");
        }
        yield new TpchSuite(scale == null ? 0.1 : scale);
      }
      case CH -> {
        if (scale != null && scale != Math.rint(scale)) {
          throw new ParameterException(spec.commandLine(), "--scale of CH must be an integer");
        }
        yield new ChSuite(scale == null ? 1 : scale.intValue());
      }
    };
  }

  private void err(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** Prints the table; returns true if all results are equal. */
  private boolean print(List<String> names, Map<String, Map<String, SuiteRun.Measured>> all) {
    PrintWriter out = spec.commandLine().getOut();
    List<String> products = List.copyOf(all.keySet());
    out.println("| query | rows | " + String.join(", ms | ", products) + ", ms | results |");
    out.println("| --- | ---: | " + "---: | ".repeat(products.size()) + "--- |");
    boolean equal = true;
    for (String name : names) {
      List<String> cells = new ArrayList<>();
      SuiteRun.Measured first = all.get(products.getFirst()).get(name);
      cells.add(first.result() == null ? "" : Integer.toString(first.result().rows().size()));
      String verdict = "equal";
      for (String product : products) {
        SuiteRun.Measured each = all.get(product).get(name);
        cells.add(each.failure() == null ? "%.1f".formatted(each.millis()) : "failed");
        String difference =
            each.failure() != null
                ? each.failure()
                : first.result() == null ? null : each.result().difference(first.result());
        if (difference != null) {
          verdict = product + ": " + difference.lines().findFirst().orElse("");
        }
      }
      equal &= verdict.equals("equal");
      out.println("| " + name + " | " + String.join(" | ", cells) + " | " + verdict + " |");
    }
    out.flush();
    return equal;
  }
}
