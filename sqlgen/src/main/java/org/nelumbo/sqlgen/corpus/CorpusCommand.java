package org.nelumbo.sqlgen.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sqllogictest}: runs the sqllogictest corpus, checks the results and tells how many
 * queries a second are answered. Each file has a new database in memory. Exit status: 0 all passed,
 * 1 something did not, 2 wrong usage.
 */
@Command(
    name = "sqllogictest",
    mixinStandardHelpOptions = true,
    description = "Runs the sqllogictest corpus and checks the results.")
public final class CorpusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "JAR",
      description = "The corpus: net.hydromatic:sql-logic-test, as Maven Central has it.")
  private Path jar;

  @Option(
      names = "--database",
      defaultValue = "nelumbo",
      description = "What is tested: nelumbo or h2 (default: ${DEFAULT-VALUE}).")
  private String database;

  @Option(
      names = "--files",
      defaultValue = ".*",
      description = "Which files: a regular expression, as random/expr (default: all).")
  private Pattern files;

  @Option(
      names = "--every",
      defaultValue = "1",
      description = "Takes each N-th file of those (default: ${DEFAULT-VALUE}).")
  private int every;

  @Option(
      names = "--queries",
      defaultValue = "1000000000",
      description = "At most so many queries of a file (default: all).")
  private long most;

  @Option(
      names = "--warmup",
      defaultValue = "0",
      description = "Runs files without counting until so many queries have been answered.")
  private long warmup;

  @Option(
      names = "--examples",
      defaultValue = "1",
      description = "Findings of each kind that are shown (default: ${DEFAULT-VALUE}).")
  private int examples;

  @Override
  public Integer call() throws IOException, SQLException {
    if (!Files.isReadable(jar)) {
      throw new ParameterException(
          spec.commandLine(),
          "there is no file "
              + jar
              + "; get it by mvn dependency:get -Dartifact=net.hydromatic:sql-logic-test:0.3");
    }
    if (every < 1) {
      throw new ParameterException(spec.commandLine(), "--every: at least 1, not " + every);
    }
    CorpusRun run = new CorpusRun(examples);
    try (ZipFile corpus = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> chosen = chosen(corpus);
      if (warmup > 0) {
        CorpusRun first = new CorpusRun(0);
        for (int i = 0; i < chosen.size() && first.queries() < warmup; i++) {
          run(first, corpus, chosen.get(i), warmup / chosen.size() + 1);
        }
      }
      for (ZipEntry each : chosen) {
        run(run, corpus, each, most);
      }
    }
    report(run);
    return run.findings().isEmpty() ? 0 : 1;
  }

  private List<? extends ZipEntry> chosen(ZipFile corpus) {
    List<? extends ZipEntry> all =
        corpus.stream()
            .filter(entry -> entry.getName().endsWith(".test"))
            .filter(entry -> files.matcher(entry.getName()).find())
            .toList();
    return IntStream.range(0, all.size())
        .filter(i -> i % every == every / 2)
        .mapToObj(all::get)
        .toList();
  }

  private void run(CorpusRun run, ZipFile corpus, ZipEntry file, long queries)
      throws IOException, SQLException {
    List<CorpusRecord> records;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(corpus.getInputStream(file), StandardCharsets.UTF_8))) {
      records = CorpusFile.read(in);
    }
    try (Connection connection = DriverManager.getConnection(url())) {
      run.run(connection, file.getName(), records, queries);
    }
  }

  private String url() {
    return switch (database.toLowerCase(Locale.ROOT)) {
      case "nelumbo" -> "jdbc:nelumbo:mem:";
      case "h2" -> "jdbc:h2:mem:";
      default ->
          throw new ParameterException(
              spec.commandLine(), "--database: nelumbo or h2, not " + database);
    };
  }

  private void report(CorpusRun run) {
    PrintWriter out = spec.commandLine().getOut();
    run.examples().forEach(out::println);
    run.findings().forEach((kind, count) -> out.println(count + " x " + kind));
    out.printf(
        Locale.ROOT,
        "RESULT sqllogictest database=%s queries=%d passed=%d rate=%.0f cpu_rate=%.0f%n",
        database,
        run.queries(),
        run.passed(),
        run.rate(),
        run.cpuRate());
    out.flush();
  }
}
