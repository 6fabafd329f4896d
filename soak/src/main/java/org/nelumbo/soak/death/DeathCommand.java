package org.nelumbo.soak.death;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.soak.process.ChildProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo soak death}: measures how long the failure of a compute node keeps the others from
 * committing. Exit status 0 if they continued each time, 1 if not, 2 for wrong usage.
 */
@Command(
    name = "death",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a memory node and clients that share its pool as separate processes, with",
      "default leases. Each client writes all rows of a small table in turn. Kills one",
      "client after another with SIGKILL, and reports for how long the others committed",
      "nothing on some row, compared with the same measure before the kill, and how much",
      "pool memory each failure costs."
    })
public final class DeathCommand implements Callable<Integer> {
  private static final int SEED_BOUND = 1_000_000_000;
  private static final int CLIENTS_MIN = 3;
  private static final int CLIENTS_MAX = 16;
  private static final long START_SECONDS = 60;
  private static final long SETTLE_MILLIS = 2_000;
  private static final Pattern LISTENS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "number of clients to kill (default: ${DEFAULT-VALUE})",
      defaultValue = "20")
  private int rounds;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description = "number of client processes, 3 to 16 (default: ${DEFAULT-VALUE})",
      defaultValue = "3")
  private int clientCount;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "sessions of each client (default: ${DEFAULT-VALUE})",
      defaultValue = "4")
  private int sessions;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "rows of the table (default: ${DEFAULT-VALUE})",
      defaultValue = "48")
  private int rows;

  @Option(
      names = "--millis",
      paramLabel = "MS",
      description =
          "time of the measurement before and after each kill (default: ${DEFAULT-VALUE})",
      defaultValue = "4000")
  private long millis;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "seed of the choice of victims (default: random, printed)")
  private Long seed;

  @Option(
      names = "--errors",
      paramLabel = "FILE",
      description = "file for the error output of the processes (default: ${DEFAULT-VALUE})",
      defaultValue = "soak-death.log")
  private Path errors;

  private long takenBytes;

  private record Client(ChildProcess process, LinkedBlockingQueue<String> lines) {
    /**
     * Waits for a line.
     *
     * @throws IOException if another line arrives, or none
     */
    String await(String word) throws IOException, InterruptedException {
      String line = lines.poll(START_SECONDS, TimeUnit.SECONDS);
      if (line == null || !line.startsWith(word)) {
        throw new IOException("a client sent '" + line + "' instead of " + word);
      }
      return line;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (clientCount < CLIENTS_MIN || clientCount > CLIENTS_MAX) {
      throw new ParameterException(
          spec.commandLine(),
          "--clients is from " + CLIENTS_MIN + " to " + CLIENTS_MAX + ", not " + clientCount);
    }
    PrintWriter out = spec.commandLine().getOut();
    long drawn = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    out.println("seed=" + drawn);
    out.flush();
    File log = errors.toAbsolutePath().toFile();
    List<ChildProcess> processes = new ArrayList<>();
    try {
      run(new Random(drawn), processes, log, out);
      return 0;
    } catch (IOException e) {
      out.println("FAILED " + e.getMessage() + "; error output of the processes: " + log);
      out.flush();
      return 1;
    } finally {
      processes.forEach(ChildProcess::close);
    }
  }

  private void run(Random random, List<ChildProcess> processes, File log, PrintWriter out)
      throws IOException, InterruptedException {
    String url = "jdbc:nelumbo://127.0.0.1:" + startNode(processes, log) + "/death";
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < clientCount; i++) {
      clients.add(startClient(processes, url, log, i == 0));
    }
    long[] before = new long[rounds];
    long[] after = new long[rounds];
    long firstBytes = 0;
    for (int round = 0; round < rounds; round++) {
      Thread.sleep(SETTLE_MILLIS); // until the shards are distributed
      Client victim = clients.remove(random.nextInt(clients.size()));
      before[round] = measure(clients, () -> {});
      long aliveBytes = takenBytes;
      firstBytes = round == 0 ? takenBytes : firstBytes;
      after[round] = measure(clients, victim.process()::kill);
      processes.remove(victim.process());
      out.printf(
          Locale.ROOT,
          "round=%d before_ms=%.1f after_ms=%.1f taken_kb=%.0f,%.0f%n",
          round + 1,
          before[round] / 1e3,
          after[round] / 1e3,
          aliveBytes / 1e3,
          takenBytes / 1e3);
      out.flush();
      clients.add(startClient(processes, url, log, false));
    }
    Arrays.sort(before);
    Arrays.sort(after);
    out.printf(
        Locale.ROOT,
        "RESULT soak=death rounds=%d clients=%d sessions=%d before_p50_ms=%.1f before_max_ms=%.1f"
            + " after_p50_ms=%.1f after_p90_ms=%.1f after_max_ms=%.1f taken_kb_per_death=%.0f%n",
        rounds,
        clientCount,
        sessions,
        before[rounds / 2] / 1e3,
        before[rounds - 1] / 1e3,
        after[rounds / 2] / 1e3,
        after[rounds * 9 / 10] / 1e3,
        after[rounds - 1] / 1e3,
        rounds == 1 ? 0 : (takenBytes - firstBytes) / 1e3 / (rounds - 1));
    out.flush();
  }

  @FunctionalInterface
  private interface Act {
    void run() throws InterruptedException;
  }

  /** Returns the longest time without a commit of some client on some row, in microseconds. */
  private long measure(List<Client> clients, Act act) throws IOException, InterruptedException {
    clients.forEach(each -> each.process().say("mark"));
    act.run();
    Thread.sleep(millis);
    long longest = 0;
    for (Client each : clients) {
      each.process().say("report");
      String[] words = each.await("gap").split(" ", -1);
      longest = Math.max(longest, Long.parseLong(words[1]));
      takenBytes = Long.parseLong(words[2]);
    }
    if (longest >= millis * 1000) {
      throw new IOException("some row was not written for " + millis + " ms");
    }
    return longest;
  }

  private Client startClient(List<ChildProcess> processes, String url, File log, boolean isFirst)
      throws IOException, InterruptedException {
    LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    List<String> command = new ArrayList<>();
    command.add(DeathClient.class.getName());
    command.add(url);
    command.add(Integer.toString(sessions));
    command.add(Integer.toString(rows));
    if (isFirst) {
      command.add("create");
    }
    ChildProcess process =
        ChildProcess.java(List.of("-Xmx256m"), command, Map.of(), log, lines::add);
    processes.add(process);
    Client client = new Client(process, lines);
    client.await("ready");
    return client;
  }

  private static int startNode(List<ChildProcess> processes, File log)
      throws IOException, InterruptedException {
    LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
    List<String> command =
        List.of(
            "org.nelumbo.launcher.Main", "memory-node", "--listen", "127.0.0.1:0", "--memory=256m");
    processes.add(ChildProcess.java(List.of("-Xmx64m"), command, Map.of(), log, lines::add));
    for (String line = lines.poll(START_SECONDS, TimeUnit.SECONDS);
        line != null;
        line = lines.poll(START_SECONDS, TimeUnit.SECONDS)) {
      Matcher matcher = LISTENS.matcher(line);
      if (matcher.find()) {
        return Integer.parseInt(matcher.group(1));
      }
    }
    throw new IOException("the memory node does not start");
  }
}
