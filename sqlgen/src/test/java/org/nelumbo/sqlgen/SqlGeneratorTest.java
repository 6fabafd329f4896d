package org.nelumbo.sqlgen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;
import picocli.CommandLine;

/** Short runs; {@code ./nelumbo sqlgen} makes longer ones. */
@Timeout(240)
class SqlGeneratorTest {
  private static final String STATEMENTS =
      Integer.toString(Integer.getInteger("nelumbo.sqlgen.statements", 600));

  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = new CommandLine(new SqlGeneratorCommand());
    return command.setOut(new PrintWriter(out)).setErr(new PrintWriter(out)).execute(arguments);
  }

  @Test
  void shouldAgreeWithOtherDatabases() {
    assertEquals(
        0, run("--statements", STATEMENTS, "--url", "jdbc:nelumbo:mem:alike"), out::toString);
  }

  /** The compute node caches rows, and DDL must invalidate them. */
  @Test
  void shouldAgreeOverTcp() throws IOException {
    try (MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(64 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT)) {
      node.start();
      String url = "jdbc:nelumbo://" + node.address() + "/sqlgen?create=true";
      assertEquals(
          0,
          run("--statements", STATEMENTS, "--seed", "2", "--url", url, "--peer", "jdbc:h2:mem:"),
          out::toString);
    }
  }

  @Test
  void shouldRunOneRoundAgain() {
    String[] arguments = {
      "--round", "42", "--url", "jdbc:nelumbo:mem:again", "--peer", "jdbc:h2:mem:"
    };
    assertEquals(0, run(arguments), out::toString);
    String first = out.toString();
    out.getBuffer().setLength(0);
    run(arguments);
    assertEquals(first, out.toString());
  }

  @Test
  void shouldReportJarWithoutDriver(@TempDir Path folder) throws IOException {
    Path jar = folder.resolve("empty.jar");
    assertEquals(2, run("--jar", jar.toString()), out::toString);
    new JarOutputStream(Files.newOutputStream(jar)).close();
    assertEquals(2, run("--jar", jar.toString()), out::toString);
    assertTrue(out.toString().contains("empty.jar has no driver for jdbc:nelumbo:"), out::toString);
  }

  @Test
  void shouldFindTheSameInARecording(@TempDir Path folder) throws Exception {
    String file = folder.resolve("recorded.gz").toString();
    assertEquals(
        0,
        run("--statements", "300", "--url", "jdbc:nelumbo:mem:recorded", "--record", file),
        out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run("--replay", file, "--url", "jdbc:nelumbo:mem:replayed"), out::toString);
    assertTrue(out.toString().contains("findings=0"), out::toString);
  }

  /** Compares with the results of PostgreSQL, recorded by {@code sqlgen --postgresql --record}. */
  @Test
  void shouldMatchRecordedResults() throws Exception {
    try (InputStream in = SqlGeneratorTest.class.getResourceAsStream("/recorded/postgresql.gz");
        DatabaseSession tested =
            new DatabaseSession("tested", DriverManager.getConnection("jdbc:nelumbo:mem:"), true)) {
      RecordedRun run = new RecordedRun(tested);
      run.run(Recording.read(in));
      assertEquals(List.of(), run.findings());
      assertTrue(run.verdicts().get(Verdict.AGREE) > 1_000, () -> "" + run.verdicts());
    }
  }

  /**
   * Proves that a faulty database is detected, by comparison with another one and by its own
   * results.
   */
  @ParameterizedTest
  @ValueSource(strings = {"difference", "TLP", "NoREC", "PQS"})
  void shouldDetectWrongResults(String kind) throws Exception {
    try (Connection right = DriverManager.getConnection("jdbc:h2:mem:")) {
      for (long seed = 1; seed < 60; seed++) {
        Connection wrong = ForgetfulConnection.of(DriverManager.getConnection("jdbc:h2:mem:"));
        try (DatabaseSession tested = new DatabaseSession("tested", wrong, true)) {
          Round round =
              new Round(
                  seed,
                  List.of(tested),
                  new DatabaseSession("right", right, false),
                  new Recording.Recorder(null));
          if (round.run(60).stream().anyMatch(finding -> finding.kind().equals(kind))) {
            return;
          }
        }
      }
    }
    assertTrue(false, "nothing found");
  }
}
