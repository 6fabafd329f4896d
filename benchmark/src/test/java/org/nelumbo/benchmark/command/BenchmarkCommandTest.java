package org.nelumbo.benchmark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.ProcessResult;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.run.FlightRecording;
import org.nelumbo.cli.ExitStatus;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import picocli.CommandLine;

/** Tests everything from the command line to the exit status, with a benchmark that only counts. */
@Timeout(240)
class BenchmarkCommandTest {
  private final TypedCommand counter =
      new TypedCommand("counter", "--duration=100ms", "--warmup=50ms");

  @TempDir Path directory;

  @Test
  void shouldRunCheckAndReport() throws IOException {
    Path json = directory.resolve("r.json");
    Path html = directory.resolve("r.html");
    int status =
        counter.run(
            "--url=jdbc:h2:mem:c", "--terminals=2", "--seed=5", "--html=" + html, "--json=" + json);
    assertEquals(ExitStatus.DONE, status, counter::errors);
    String result = resultLine();
    assertTrue(
        result.startsWith("RESULT benchmark=counter url=jdbc:h2:mem:c api=jdbc terminals=2"));
    assertTrue(result.contains(" consistent=true "));
    assertTrue(result.endsWith(" seed=5 size=1"));
    assertTrue(counter.output().contains("write skew"), "says what serializable means in H2");
    RunResult read = JsonReport.read(json).getFirst();
    assertEquals("H2", read.database().product());
    assertTrue(Files.size(html) > 100_000);
    assertEquals(2, read.checks().size());
  }

  @Test
  void shouldRunOnePoolFromSeveralProcesses() throws IOException {
    Path json = directory.resolve("p.json");
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(32 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT);
    try (node) {
      node.start();
      String url = "--url=jdbc:nelumbo://" + node.address() + "/several";
      String[] line = {url, "--terminals=2", "--processes=2", "--duration=300ms", "--json=" + json};
      assertEquals(ExitStatus.DONE, counter.run(line), counter::toString);
    }
    RunResult read = JsonReport.read(json).getFirst();
    assertEquals("true", read.consistent(), "what all processes have counted is there");
    assertEquals(2, read.terminals());
    assertEquals(2, read.processes().size());
    assertEquals(2, read.processes().stream().mapToInt(ProcessResult::terminals).sum());
    assertEquals(
        read.total().committed(),
        read.processes().stream().mapToLong(ProcessResult::committed).sum());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--url=jdbc:nelumbo:mem:c --terminals=2",
        "--url=jdbc:nelumbo:file:c --terminals=2",
        "--url=jdbc:nelumbo://h:1/c --terminals=1",
        "--url=jdbc:nelumbo://h:1/c --terminals=2 --warmup=auto",
        "--url=jdbc:nelumbo://h:1/c --terminals=2 --counters"
      })
  void shouldRefuseSeveralProcessesWhereTheyCannotWork(String words) {
    List<String> line = new ArrayList<>(List.of(words.split(" ", -1)));
    line.add("--processes=2");
    assertEquals(ExitStatus.USAGE, counter.run(line.toArray(String[]::new)));
    assertTrue(counter.errors().contains("--processes") || words.contains("auto"));
  }

  @Test
  void shouldExitWithOneIfACheckFails() {
    assertEquals(ExitStatus.FAILED, counter.run("--url=jdbc:h2:mem:c", "--broken"));
    assertTrue(counter.output().contains("CHECK FAILED ledger (after run)"));
    assertTrue(resultLine().contains(" consistent=false "));
  }

  @Test
  void shouldSkipChecksOnRequest() {
    assertEquals(ExitStatus.DONE, counter.run("--url=jdbc:h2:mem:c", "--broken", "--no-check"));
    assertTrue(resultLine().contains(" consistent=unchecked "));
  }

  @Test
  void shouldExitWithOneAtAnUnexpectedError() {
    assertEquals(ExitStatus.FAILED, counter.run("--url=jdbc:h2:mem:c", "--bad-sql"));
    assertTrue(counter.errors().contains("SQLState 42S02"), counter::errors);
    assertFalse(counter.output().contains("RESULT"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--nonsense",
        "--rate=0",
        "--rate=many",
        "--arrivals=never",
        "--warmup=auto:soon",
        "--pool=none",
        "--pool-size=3",
        "--api=native",
        "--isolation=chaos",
        "--duration=soon",
        "--duration=0",
        "--terminals=0",
        "--protocol=lotus",
        "--url=jdbc:sqlite::memory:"
      })
  void shouldExitWithTwoAtWrongUsage(String option) {
    assertEquals(ExitStatus.USAGE, counter.run("--url=jdbc:h2:mem:c", option));
    assertFalse(counter.errors().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:nosuch:x", "jdbc:h2:/no/such/place/db;IFEXISTS=TRUE"})
  void shouldExitWithThreeIfItCannotConnect(String url) {
    assertEquals(ExitStatus.NO_DATABASE, counter.run("--url=" + url));
    assertTrue(counter.errors().contains("could not connect to " + url), counter::errors);
  }

  @Test
  void shouldRejectMissingDriverJar() {
    int status = counter.run("--url=jdbc:h2:mem:c", "--driver-jar=/no/such.jar");
    assertEquals(ExitStatus.NO_DATABASE, status);
  }

  @Test
  void shouldNotDropTablesUnlessTold() {
    String url = "--url=jdbc:h2:" + directory.resolve("db");
    assertEquals(ExitStatus.DONE, counter.run(url), counter::errors);
    assertEquals(ExitStatus.USAGE, counter.run(url));
    assertTrue(counter.errors().contains("--replace"));
    assertEquals(ExitStatus.DONE, counter.run(url, "--replace"));
  }

  @Test
  void shouldSetDatabasesSideBySideInProcessesOfTheirOwn() throws IOException {
    Path json = directory.resolve("all.json");
    int status =
        counter.run(
            "--url=jdbc:h2:mem:c",
            "--url=jdbc:sqlite:" + directory.resolve("c.db"),
            "--rounds=2",
            "--html=" + directory.resolve("all.html"),
            "--json=" + json);
    assertEquals(ExitStatus.DONE, status, counter::errors);
    assertTrue(counter.output().contains("COMPARE benchmark=counter url=jdbc:h2:mem:c rounds=2"));
    assertTrue(counter.output().contains("COMPARE benchmark=counter url=jdbc:sqlite:"));
    assertEquals(4, JsonReport.read(json).size());
    String page = Files.readString(directory.resolve("all.html"));
    assertTrue(page.contains("<title>counter on H2, SQLite</title>"));
    assertTrue(page.contains("--rounds=2"), "how to repeat it");
  }

  @Test
  void shouldPassOptionsOnButNoPassword() {
    CommandLine bench = BenchmarkMain.commandLine();
    bench.parseArgs(
        "counter",
        "--url=a",
        "--url=b",
        "--password=secret",
        "--no-check",
        "--broken",
        "--terminals=3",
        "--seed=1");
    List<String> options =
        new ArrayList<>(
            CommandLines.repeatedOptions(bench.getSubcommands().get("counter").getCommandSpec()));
    options.sort(null);
    assertEquals(List.of("--broken", "--no-check", "--terminals=3"), options);
  }

  @Test
  void shouldOfferLoadAtARateAndAccountForIt() throws IOException {
    Path json = directory.resolve("open.json");
    assertEquals(
        ExitStatus.DONE,
        counter.run("--url=jdbc:h2:mem:c", "--rate=200/s", "--arrivals=constant", "--json=" + json),
        counter::errors);
    assertTrue(resultLine().contains(" loop=open rate=200 "), this::resultLine);
    RunResult result = JsonReport.read(json).getFirst();
    assertEquals(20, result.load().offered(), "a tenth of a second");
    long told = result.total().committed() + result.load().notStarted();
    assertEquals(20, told + result.total().gaveUp());
  }

  @Test
  void shouldBorrowPooledConnectionPerTransaction() throws IOException {
    RunResult result =
        work("--url=jdbc:h2:mem:c", "--pool=hikari", "--pool-size=1", "--terminals=2");
    assertTrue(result.total().committed() > 1);
    assertEquals("hikari", result.setup().options().get("pool"));
    assertEquals("true", result.consistent());
  }

  @Test
  void shouldRecordCommandOptionsAndHost() throws IOException {
    Path json = directory.resolve("facts.json");
    counter.run("--url=jdbc:h2:mem:c", "--seed=9", "--user=sa", "--password=", "--json=" + json);
    RunResult result = JsonReport.read(json).getFirst();
    assertEquals(
        "./nelumbo bench counter --duration=100ms --warmup=50ms --user=sa --url=jdbc:h2:mem:c"
            + " --seed=9",
        result.setup().command());
    assertFalse(result.setup().options().containsKey("password"));
    assertEquals("serializable", result.setup().options().get("isolation"));
    assertTrue(result.host().java().contains(Runtime.version().toString()));
    assertTrue(result.host().cores() > 0);
    assertFalse(result.timeline().isEmpty());
  }

  @Test
  void shouldReportAllocationAndLatencyCurve() throws IOException {
    RunResult result = work("--url=jdbc:h2:mem:c");
    assertTrue(result.usage().allocatedBytesPerTransaction() > 0, "H2 is in this process");
    assertEquals(100, result.total().latencyCurve().getLast().percentile());
  }

  /** Returns the result of a run that was long enough for a few transactions. */
  private RunResult work(String... options) throws IOException {
    return new LongerRuns(directory, counter).until(LongerRuns.committing(2), 100, options);
  }

  @Test
  void shouldRecordTheMeasuredTime() throws IOException {
    Path jfr = directory.resolve("run.jfr");
    assertEquals(ExitStatus.DONE, counter.run("--url=jdbc:h2:mem:c", "--jfr=" + jfr));
    assertTrue(Files.size(jfr) > 1_000);
    Path nowhere = directory.resolve("no/such/run.jfr");
    assertEquals(ExitStatus.USAGE, counter.run("--url=jdbc:h2:mem:c", "--jfr=" + nowhere));
    assertTrue(counter.errors().contains("cannot write " + nowhere), counter::errors);
  }

  @Test
  void shouldNameFlightRecordingPerRun() {
    assertEquals(Path.of("a/b.c-2-h2.jfr"), FlightRecording.fileOf(Path.of("a/b.c.jfr"), 2, "h2"));
    assertEquals(Path.of("b-1-x-y"), FlightRecording.fileOf(Path.of("b"), 1, "X Y"));
  }

  private String resultLine() {
    return counter.lines("RESULT ").stream().findFirst().orElse("");
  }
}
