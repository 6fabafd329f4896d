package org.nelumbo.sqlgen;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.nelumbo.sqlgen.OutcomeComparison.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sqlgen}: runs random statements from a seed, checked against other databases and
 * against each other. Exit status 0 if every check passed, 1 if one failed, 2 for wrong usage.
 */
@Command(
    name = "sqlgen",
    mixinStandardHelpOptions = true,
    description = "Runs random SQL and checks the results against other databases and each other.")
public final class SqlGeneratorCommand implements Callable<Integer> {
  private static final int STATEMENTS_PER_ROUND = 2_000;
  private static final int SESSIONS = 2;
  private static final long PROGRESS_STEP = 10_000;

  @Spec private CommandSpec spec;

  @Option(names = "--seed", defaultValue = "1", description = "First seed (default: 1).")
  private long seed;

  @Option(
      names = "--statements",
      defaultValue = "100000",
      description = "Number of statements to run (default: ${DEFAULT-VALUE}).")
  private long statements;

  @Option(
      names = "--round",
      paramLabel = "SEED",
      description = "Run only the round with this seed, as reported with a finding.")
  private Long round;

  @Option(
      names = "--url",
      defaultValue = "jdbc:nelumbo:mem:sqlgen",
      description =
          "URL of the tested database (default: ${DEFAULT-VALUE}). The tables t0 to t2, s0 and"
              + " s1 and the view sv are dropped if they exist, created, and dropped again.")
  private String url;

  @Option(
      names = "--jar",
      description = "One-jar driver to test (default: the driver of this program).")
  private Path jar;

  @Option(
      names = "--peer",
      paramLabel = "URL",
      description =
          "Databases to compare with, in turn (default: H2 in memory), with the same tables t0 to"
              + " t2. HSQLDB returns wrong results for some conditions with NULLs in lists.")
  private List<String> peers = List.of("jdbc:h2:mem:");

  @Option(
      names = "--postgresql",
      description =
          "Compare with the installed PostgreSQL, which is started on an empty cluster for the"
              + " run.")
  private boolean postgresql;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "Record the statements and the results of the peer for --replay.")
  private Path record;

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description = "Run recorded statements, and compare with the recorded results.")
  private Path replay;

  @Option(names = "--peer-jar", description = "Jar with the driver of a peer.")
  private Path peerJar;

  @Option(
      names = "--findings",
      defaultValue = "10",
      description = "Stop after this many findings (default: ${DEFAULT-VALUE}).")
  private int findingsMax;

  private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
  private final Map<String, Integer> found = new TreeMap<>();
  private long done;

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    try (DriverJar ours = DriverJar.of(spec, jar);
        DriverJar theirs = DriverJar.of(spec, peerJar)) {
      if (replay != null) {
        replay(ours);
      } else if (postgresql) {
        try (PostgresqlServer server = PostgresqlServer.start()) {
          peers = List.of(server.url());
          connectAndRun(ours, theirs);
        }
      } else {
        connectAndRun(ours, theirs);
      }
    }
    report();
    return found.isEmpty() ? 0 : 1;
  }

  private void replay(DriverJar ours) throws SQLException, IOException {
    try (InputStream in = Files.newInputStream(replay);
        DatabaseSession session = new DatabaseSession("tested", ours.connectByIt(url), true)) {
      RecordedRun run = new RecordedRun(session);
      run.run(Recording.read(in));
      run.findings().forEach(this::found);
      verdicts.putAll(run.verdicts());
      done = verdicts.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  private void found(FailedCheck finding) {
    found.merge(finding.kind(), 1, Integer::sum);
    PrintWriter out = spec.commandLine().getOut();
    out.println(finding.kind() + ": " + finding.text());
    out.flush();
  }

  /** The driver jars must stay open until all sessions are closed. */
  private void connectAndRun(DriverJar ours, DriverJar theirs)
      throws SQLException, IOException, InterruptedException {
    List<DatabaseSession> tested = new ArrayList<>();
    List<DatabaseSession> others = new ArrayList<>();
    try (Recording.Recorder recorder = new Recording.Recorder(record)) {
      for (int i = 0; i < SESSIONS; i++) {
        tested.add(new DatabaseSession("tested", ours.connectByIt(url), true));
      }
      for (String peer : peers) {
        others.add(new DatabaseSession(peer, theirs.connect(peer), false));
      }
      runAll(tested, others, recorder);
    } finally {
      for (DatabaseSession session : tested) {
        session.close();
      }
      for (DatabaseSession session : others) {
        session.close();
      }
    }
  }

  private void runAll(
      List<DatabaseSession> tested, List<DatabaseSession> others, Recording.Recorder recorder)
      throws InterruptedException {
    Dice seeds = new Dice(seed);
    for (int i = 0; done < statements && total() < findingsMax; i++) {
      int count = (int) Math.min(STATEMENTS_PER_ROUND, statements - done);
      Round one =
          new Round(
              round == null ? seeds.seed() : round,
              tested,
              others.get(i % others.size()),
              recorder);
      one.run(count).forEach(this::found);
      if ((done + one.statements()) / PROGRESS_STEP > done / PROGRESS_STEP) {
        spec.commandLine().getErr().println(done + " statements " + verdicts);
      }
      done += one.statements();
      one.verdicts().forEach((verdict, times) -> verdicts.merge(verdict, times, Integer::sum));
      if (round != null && i == others.size() - 1) {
        return;
      }
    }
  }

  private int total() {
    return found.values().stream().mapToInt(Integer::intValue).sum();
  }

  private void report() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(done + " statements, compared: " + verdicts + ", found: " + found);
    StringBuilder compared = new StringBuilder();
    verdicts.forEach(
        (verdict, count) ->
            compared
                .append(' ')
                .append(verdict.toString().toLowerCase(Locale.ROOT))
                .append('=')
                .append(count));
    out.println("RESULT sqlgen statements=" + done + compared + " findings=" + total());
    out.flush();
  }
}
