package org.nelumbo.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.Benchmark;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine;

/** The compare command, with the benchmark that only counts. */
@Timeout(240)
class CompareCommandTest {
  private final TypedCommand compare =
      new TypedCommand("compare", "--warmup=50ms", "--duration=100ms", "--seed=3");

  @TempDir Path directory;

  @Test
  void shouldMeasureAvailablePeersAndReportMissing() throws IOException {
    Path json = directory.resolve("all.json");
    Path html = directory.resolve("all.html");
    int status =
        compare.run(
            "--peers=h2,postgresql",
            "--peer=postgresql=jdbc:postgresql://localhost:1/bench?password=secret",
            "--terminals=1,2",
            "--rounds=1",
            "--pass=counter:--no-check",
            "--json=" + json,
            "--html=" + html);
    assertEquals(ExitStatus.DONE, status, compare::toString);
    List<String> runs =
        JsonReport.read(json).stream()
            .map(r -> r.database().product() + " " + r.terminals() + " " + r.consistent())
            .toList();
    assertEquals(List.of("H2 1 unchecked", "H2 2 unchecked"), runs);
    assertTrue(compare.output().contains("note: postgresql was not measured: "));
    assertTrue(compare.output().contains(" terminals=2 "), compare::output);
    String page = Files.readString(html);
    assertTrue(page.contains("./nelumbo bench compare"));
    assertFalse(page.contains("secret"));
  }

  @Test
  void shouldReportFailedRunAndNotRepeatIt() throws IOException {
    Path json = directory.resolve("one.json");
    int status =
        compare.run(
            "--peers=h2",
            "--terminals=1",
            "--rounds=2",
            "--pass=counter:--bad-sql",
            "--json=" + json);
    assertEquals(ExitStatus.FAILED, status);
    assertTrue(compare.output().contains("note: counter with 1 terminals was not measured on h2"));
    assertEquals(1, compare.output().split("== counter", -1).length - 1, "tried once only");
    assertFalse(Files.exists(json));
  }

  @Test
  void shouldKillHungRunAndContinueWithNextPeer() {
    int status =
        compare.run(
            "--peers=h2,hsqldb",
            "--terminals=1",
            "--rounds=2",
            "--timeout=2s",
            "--pass=counter:--hang");
    assertEquals(ExitStatus.FAILED, status);
    for (String peer : List.of("h2", "hsqldb")) {
      String note = peer + ": its run took too long (more than 2 s)";
      assertTrue(compare.output().contains(note), compare::toString);
    }
    assertEquals(2, compare.output().split("== counter", -1).length - 1, "each tried once");
  }

  @Test
  void shouldIncludeLoadTimeInDefaultTimeout() {
    assertEquals(Duration.ofSeconds(10 + 20 + 15 * 60), limit());
    assertEquals(Duration.ofSeconds(60 + 40 + 15 * 60), limit("--warmup=auto", "--duration=40s"));
    assertEquals(Duration.ofMinutes(2), limit("--timeout=2m"));
  }

  private static Duration limit(String... arguments) {
    CompareOptions options = new CompareOptions();
    CommandLine line = new CommandLine(CommandLine.Model.CommandSpec.create());
    line.addMixin("options", options);
    line.parseArgs(arguments);
    return options.limit();
  }

  @Test
  void shouldFailOnExistingTablesAndKeepThem() throws SQLException {
    String url = "jdbc:h2:" + directory.resolve("db");
    CommandLine bench = BenchmarkMain.commandLine();
    assertEquals(
        ExitStatus.DONE, bench.execute("counter", "--url=" + url, "--warmup=0", "--duration=50ms"));
    List<String> before = tables(url);
    assertFalse(before.isEmpty());
    int status = compare.run("--peers=h2", "--peer=h2=" + url, "--terminals=1", "--rounds=1");
    assertEquals(ExitStatus.FAILED, status);
    assertFalse(compare.output().contains("COMPARE"));
    assertEquals(before, tables(url));
  }

  /** Returns the tables of a database with the numbers of their rows. */
  private static List<String> tables(String url) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet found =
            connection
                .getMetaData()
                .getTables(null, "PUBLIC", null, new String[] {"TABLE", "BASE TABLE"})) {
      while (found.next()) {
        String name = found.getString("TABLE_NAME");
        try (ResultSet count = statement.executeQuery("SELECT COUNT(*) FROM \"" + name + "\"")) {
          count.next();
          tables.add(name + " " + count.getLong(1));
        }
      }
    }
    return tables;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--peers=nosuch",
        "--peer=nosuch=jdbc:x",
        "--benchmarks=nosuch",
        "--rounds=0",
        "--timeout=0",
        "--timeout=soon",
        "--pass=counter:--terminals=3",
        "--pass=counter:--nosuch",
        "--pass=nosuch:--no-check",
        "--duration=long"
      })
  void shouldExitWithTwoAtWrongUsage(String option) {
    assertEquals(ExitStatus.USAGE, compare.run(option));
    assertFalse(compare.errors().isEmpty());
  }

  @Test
  void shouldExitWithThreeIfNoPeerIsReachable() {
    int status = compare.run("--peers=postgresql", "--peer=postgresql=jdbc:nosuch:x");
    assertEquals(ExitStatus.NO_DATABASE, status);
  }

  @Test
  void shouldFindTheBenchmarksThatMeasureDatabases() {
    assertEquals(
        List.of("counter"),
        Benchmarks.all().stream()
            .filter(Benchmarks::measuresDatabases)
            .map(Benchmark::name)
            .toList());
  }

  @Test
  void shouldCompareEachWayToADatabase() {
    List<String> names =
        org.nelumbo.benchmark.peer.Peers.all().stream()
            .flatMap(peer -> ComparedDatabase.of(peer, "scratch").stream())
            .map(ComparedDatabase::name)
            .toList();
    assertEquals(
        List.of("nelumbo", "nelumbo native", "h2", "hsqldb", "sqlite", "postgresql", "mariadb"),
        names);
  }
}
