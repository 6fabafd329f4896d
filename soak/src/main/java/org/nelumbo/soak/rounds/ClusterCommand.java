package org.nelumbo.soak.rounds;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.nelumbo.soak.rounds.ClusterRounds.Pool;
import org.nelumbo.soak.rounds.ClusterRounds.RoundFailed;
import org.nelumbo.soak.rounds.ClusterRounds.RoundResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo soak cluster}: runs rounds of faults on real processes. Exit status 0 if every
 * check passed, 1 if one failed, 2 for wrong usage.
 */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = {
      "Runs three memory nodes and clients as separate processes, over links that fail.",
      "Draws a fault for each round, and checks histories, commits, money, tables and",
      "errors."
    })
public final class ClusterCommand implements Callable<Integer> {
  private static final int SEED_BOUND = 1_000_000_000;
  private static final int CLIENTS_MAX = 16;

  @Spec private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "number of rounds (default: ${DEFAULT-VALUE})",
      defaultValue = "20")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "start no round after this many seconds (default: no limit)",
      defaultValue = "0")
  private long seconds;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "seed of the faults and their victims (default: random, printed)")
  private Long seed;

  @Option(
      names = "--faults",
      paramLabel = "FAULT",
      split = ",",
      description = "faults to draw from (default: all; see --list)")
  private List<String> faults = List.of();

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "size of each memory node, or of the files (default: 64m; 512m with --shm)")
  private String memory;

  @Option(
      names = "--errors",
      paramLabel = "FILE",
      description = "file for the error output of the processes (default: ${DEFAULT-VALUE})",
      defaultValue = "soak-cluster.log")
  private Path errors;

  @Option(
      names = "--shared",
      description =
          "keep one copy in files, shared by three clients (default: three copies, and two"
              + " clients)")
  private boolean isShared;

  @Option(
      names = "--durable",
      description = "use three durable memory nodes and three clients (default: no logs)")
  private boolean isDurable;

  @Option(
      names = "--shm",
      description = "let ten clients share a pool in files, without memory nodes")
  private boolean isInFiles;

  @Option(
      names = "--clients",
      paramLabel = "N",
      description =
          "client processes, 2 to 16 (default: 2; 3 with --shared or --durable, 10 with --shm)")
  private Integer clients;

  @Option(names = "--list", description = "list the faults and exit")
  private boolean list;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (list) {
      for (Fault fault : Fault.values()) {
        out.println(fault.word());
      }
      out.flush();
      return 0;
    }
    if (Stream.of(isShared, isDurable, isInFiles).filter(each -> each).count() > 1) {
      throw new ParameterException(
          spec.commandLine(), "--shared, --durable and --shm exclude each other");
    }
    int clientCount = clients != null ? clients : isInFiles ? 10 : isShared || isDurable ? 3 : 2;
    String bytes = memory != null ? memory : isInFiles ? "512m" : "64m";
    if (clientCount < 2 || clientCount > CLIENTS_MAX) {
      throw new ParameterException(
          spec.commandLine(), "--clients is from 2 to " + CLIENTS_MAX + ", not " + clientCount);
    }
    long drawn = seed != null ? seed : ThreadLocalRandom.current().nextInt(SEED_BOUND);
    out.println("seed=" + drawn);
    out.flush();
    File log = errors.toAbsolutePath().toFile();
    Totals totals = new Totals();
    try (ClusterRounds cluster =
        new ClusterRounds(drawn, bytes, clientCount, pool(), chosen(), log)) {
      for (Fault fault : cluster.impossible()) {
        out.println("impossible on this machine, drawn as none: " + fault.word());
      }
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      for (int round = 0; round < rounds && (seconds == 0 || System.nanoTime() < until); round++) {
        RoundResult result = cluster.round();
        totals.add(result);
        out.printf(
            Locale.ROOT,
            "round=%d fault=%s committed=%d aborted=%d unknown=%d journal=%d millis=%d%n",
            round + 1,
            result.fault().word(),
            result.committed(),
            result.aborted(),
            result.unknown(),
            result.acknowledged(),
            result.millis());
        out.flush();
      }
    } catch (RoundFailed e) {
      totals.violations++;
      out.println("FAILED " + e.getMessage());
      out.println("Error output of the processes: " + log);
      out.println(
          "Again: ./nelumbo soak cluster --seed "
              + drawn
              + " --rounds "
              + (totals.rounds + 1)
              + (isShared ? " --shared" : isDurable ? " --durable" : isInFiles ? " --shm" : "")
              + " --clients "
              + clientCount
              + (memory == null ? "" : " --memory " + memory)
              + (faults.isEmpty() ? "" : " --faults " + String.join(",", faults)));
    }
    totals.print(drawn, out);
    return totals.violations == 0 ? 0 : 1;
  }

  private Pool pool() {
    if (isInFiles) {
      return Pool.FILES;
    }
    return isShared ? Pool.SHARED : isDurable ? Pool.DURABLE : Pool.COPIES;
  }

  private List<Fault> chosen() {
    if (faults.isEmpty()) {
      return switch (pool()) {
        case COPIES -> Fault.ofCopies();
        case SHARED -> Fault.ofSharedPools();
        case DURABLE -> Fault.ofDurablePools();
        case FILES -> Fault.ofSharedFiles();
      };
    }
    List<Fault> chosen = new ArrayList<>();
    for (String word : faults) {
      try {
        chosen.add(Fault.of(word));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
    }
    return chosen;
  }

  private static final class Totals {
    private final Map<Fault, Integer> byFault = new EnumMap<>(Fault.class);
    private int rounds;
    private long committed;
    private long aborted;
    private long unknown;
    private long journal;
    private Client.Work work = Client.Work.NONE;
    private int violations;

    void add(RoundResult result) {
      rounds++;
      byFault.merge(result.fault(), 1, Integer::sum);
      committed += result.committed();
      aborted += result.aborted();
      unknown += result.unknown();
      journal += result.acknowledged();
      work = result.work();
    }

    void print(long seed, PrintWriter out) {
      StringBuilder faults = new StringBuilder();
      byFault.forEach(
          (fault, count) -> faults.append(' ').append(fault.word()).append('=').append(count));
      out.printf(
          Locale.ROOT,
          "RESULT soak=cluster seed=%d rounds=%d committed=%d aborted=%d unknown=%d"
              + " journal=%d schema=%d spilled=%d full=%d violations=%d%s%n",
          seed,
          rounds,
          committed,
          aborted,
          unknown,
          journal,
          work.schemaChanges(),
          work.spilled(),
          work.full(),
          violations,
          faults);
      out.flush();
    }
  }
}
