package org.nelumbo.sqlgen.corpus;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.nelumbo.sqlgen.DriverJar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sqllogictest}: runs Nelumbo's own corpus of statements or the public sqllogictest
 * corpus, checks the results, and measures the queries per second. Each file has a new database.
 * Exit status 0 if all statements passed, 1 if one did not, 2 for wrong usage.
 */
@Command(
    name = "sqllogictest",
    mixinStandardHelpOptions = true,
    description = "Runs the statements of sqllogictest files and checks the results.")
public final class CorpusCommand implements Callable<Integer> {
  /** The dialect of the public corpus that is nearest to Nelumbo's. */
  private static final String PUBLIC_DIALECT = "postgresql";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "JAR",
      description =
          "Jar of the public corpus, net.hydromatic:sql-logic-test of Maven Central (default: the"
              + " statements of Nelumbo).")
  private Path jar;

  @Option(
      names = "--database",
      defaultValue = "nelumbo",
      description =
          "Tested database: nelumbo, h2, or the URL of an empty database (default:"
              + " ${DEFAULT-VALUE}). In PostgreSQL, all contents of the schema public are dropped.")
  private String database;

  @Option(names = "--driver-jar", description = "Jar with the driver, such as that of PostgreSQL.")
  private Path driverJar;

  @Option(
      names = "--files",
      defaultValue = ".*",
      description = "Regular expression for the files, such as random/expr (default: all).")
  private Pattern files;

  @Option(
      names = "--every",
      defaultValue = "1",
      description = "Run only every N-th of these files (default: ${DEFAULT-VALUE}).")
  private int every;

  @Option(
      names = "--queries",
      defaultValue = "1000000000",
      description = "Maximum number of queries per file (default: all).")
  private long most;

  @Option(
      names = "--warmup",
      defaultValue = "0",
      description = "Number of queries to run before counting starts.")
  private long warmup;

  @Option(
      names = "--examples",
      defaultValue = "1",
      description = "Number of findings shown of each kind (default: ${DEFAULT-VALUE}).")
  private int examples;

  @Override
  public Integer call() throws IOException, SQLException {
    if (jar != null && !Files.isReadable(jar)) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no file "
              + jar
              + "; get it with mvn dependency:get -Dartifact=net.hydromatic:sql-logic-test:0.3");
    }
    if (every < 1) {
      throw new ParameterException(spec.commandLine(), "--every: at least 1, not " + every);
    }
    CorpusRun run = new CorpusRun(examples, jar != null);
    try (DriverJar driver = DriverJar.of(spec, driverJar);
        CorpusSource corpus = jar == null ? CorpusSource.ours() : CorpusSource.of(jar)) {
      List<String> chosen = chosen(corpus.names());
      if (warmup > 0) {
        CorpusRun first = new CorpusRun(0, jar != null);
        for (int i = 0; i < chosen.size() && first.queries() < warmup; i++) {
          run(first, corpus, chosen.get(i), driver, warmup / chosen.size() + 1);
        }
      }
      Map<String, CorpusCounts> counts = new LinkedHashMap<>();
      for (String each : chosen) {
        counts.put(each, run(run, corpus, each, driver, most));
      }
      report(run, counts);
    }
    return run.findings().isEmpty() ? 0 : 1;
  }

  private List<String> chosen(List<String> names) {
    List<String> all = names.stream().filter(name -> files.matcher(name).find()).toList();
    return IntStream.range(0, all.size())
        .filter(i -> i % every == every / 2)
        .mapToObj(all::get)
        .toList();
  }

  private CorpusCounts run(
      CorpusRun run, CorpusSource corpus, String file, DriverJar driver, long queries)
      throws IOException, SQLException {
    String url = url();
    String dialect = jar == null ? CorpusDatabase.product(url) : PUBLIC_DIALECT;
    try (CorpusDatabase tested = new CorpusDatabase(url, driver::connect)) {
      return run.run(tested, file, corpus.records(file, dialect), queries);
    }
  }

  private String url() {
    return switch (database.toLowerCase(Locale.ROOT)) {
      case "nelumbo", "h2" -> "jdbc:" + database.toLowerCase(Locale.ROOT) + ":mem:corpus";
      default -> {
        if (!database.startsWith("jdbc:")) {
          throw new ParameterException(
              spec.commandLine(), "--database: nelumbo, h2 or a JDBC URL, not " + database);
        }
        yield database;
      }
    };
  }

  private void table(Map<String, CorpusCounts> counts, PrintWriter out) {
    out.println("| area | statements | passed | refused | other error | wrong | share |");
    out.println("| --- | --: | --: | --: | --: | --: | --: |");
    counts.forEach((file, each) -> out.println(each.row(file.replace(".test", ""))));
    out.println(counts.values().stream().reduce(CorpusCounts.NONE, CorpusCounts::plus).row("all"));
  }

  private void report(CorpusRun run, Map<String, CorpusCounts> counts) {
    PrintWriter out = spec.commandLine().getOut();
    run.examples().forEach(out::println);
    if (jar == null) {
      table(counts, out);
    }
    run.findings().forEach((kind, count) -> out.println(count + " x " + kind));
    out.printf(
        Locale.ROOT,
        "RESULT sqllogictest database=%s queries=%d passed=%d rate=%.0f cpu_rate=%.0f%n",
        database.replace(" ", "%20"),
        run.queries(),
        run.passed(),
        run.rate(),
        run.cpuRate());
    out.flush();
  }
}
