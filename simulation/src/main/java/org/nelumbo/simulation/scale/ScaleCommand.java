package org.nelumbo.simulation.scale;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.simulation.config.Settings;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimMemory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim scale}: measures throughput, shares of remote locks and round trips with an
 * increasing number of compute nodes, in virtual time.
 */
@Command(
    name = "scale",
    mixinStandardHelpOptions = true,
    description = {
      "Runs a mix of transactions on growing numbers of compute nodes in virtual time.",
      "docs/benchmarks/scale-out.md describes the measurements."
    })
public final class ScaleCommand implements Callable<Integer> {
  private static final int NODES_MAX = 60;
  private static final int CLIENTS = 10;

  @Spec private CommandSpec spec;

  /** The available mixes. */
  enum MixKind {
    SMALLBANK,
    TATP,
    TPCC
  }

  @Option(
      names = "--mix",
      paramLabel = "MIX",
      split = ",",
      description =
          "smallbank, tatp or tpcc; separate several by commas (default: ${DEFAULT-VALUE})",
      defaultValue = "smallbank")
  private List<String> mixes;

  @Option(
      names = "--compute-nodes",
      paramLabel = "N",
      split = ",",
      description =
          "number of compute nodes; separate several by commas (default: ${DEFAULT-VALUE})",
      defaultValue = "1,3,9")
  private List<Integer> computeNodes;

  @Option(
      names = "--memory-nodes",
      paramLabel = "N",
      description = "number of memory nodes (default: ${DEFAULT-VALUE})",
      defaultValue = "3")
  private int memoryNodes;

  @Option(
      names = "--copies",
      paramLabel = "N",
      description = "number of copies of the data (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private int copies;

  @ArgGroup private Clients clients = new Clients();

  /** The clients of a compute node: their work takes no time, or that of its processors. */
  private static final class Clients {
    @Option(
        names = "--clients",
        paramLabel = "N",
        description = "clients of each compute node, whose work takes no time (default: 10)")
    private int free = CLIENTS;

    @ArgGroup(exclusive = false)
    private Threads threads;
  }

  /** Threads with a processor each. */
  private static final class Threads {
    @Option(
        names = "--threads",
        paramLabel = "N",
        required = true,
        description = "threads of each compute node, each with a processor whose time counts")
    private int count;

    @Option(
        names = "--coroutines",
        paramLabel = "N",
        defaultValue = "1",
        description = "clients of each thread (default: ${DEFAULT-VALUE})")
    private int coroutines;
  }

  @Option(
      names = "--routing",
      paramLabel = "WHERE",
      split = ",",
      description = {
        "where transactions run: on the owner of their shard, half of them on another node",
        "(half), all of them on another node (elsewhere), or on any node (any) (default:",
        "${DEFAULT-VALUE})"
      },
      defaultValue = "owner")
  private List<String> routings;

  @Option(
      names = "--millis",
      paramLabel = "N",
      description = "measured virtual time in milliseconds (default: ${DEFAULT-VALUE})",
      defaultValue = "10")
  private int millis;

  @Option(
      names = "--deaths",
      paramLabel = "N",
      description = "compute nodes that fail together at half time (default: ${DEFAULT-VALUE})",
      defaultValue = "0")
  private int deaths;

  @Option(
      names = "--fabric",
      paramLabel = "PRESET",
      description = "model of the network (default: ${DEFAULT-VALUE})",
      defaultValue = "lotus-56g")
  private String fabric;

  @Option(
      names = "--homes",
      paramLabel = "N",
      description = "number of customers, subscribers or warehouses (default: 20000, 20000, 64)")
  private Integer homes;

  @Option(
      names = "--homes-from",
      paramLabel = "N",
      description = "number of the first home (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private long homesFrom;

  @Option(
      names = "--record-cache",
      paramLabel = "SIZE",
      defaultValue = "64MiB",
      description = {
        "size of the record cache of each compute node; 0 for none (default: ${DEFAULT-VALUE}, as",
        "in production)"
      })
  private String recordCache;

  @Option(
      names = "--clock",
      paramLabel = "KIND",
      description = {
        "clock of the pool: word, from which commit timestamps are drawn; or vector, with a word",
        "for each compute node (default: ${DEFAULT-VALUE})"
      },
      defaultValue = "vector")
  private String clock;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "override a key of the model of the network; can be repeated")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "seed of the worlds (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private long seed;

  @Option(names = "--types", description = "also print a line for each type of transaction")
  private boolean types;

  @Option(
      names = "--verbs",
      description = {
        "also print the verbs of each type of transaction by posting method, and the load of the",
        "memory nodes"
      })
  private boolean verbs;

  @Override
  public Integer call() {
    check();
    FabricModel model = model();
    PrintWriter out = spec.commandLine().getOut();
    SimMemory memory = new SimMemory();
    out.printf(
        "%-10s %-10s %5s %9s %7s %8s %8s %7s %7s %6s %6s%n",
        "mix", "routing", "nodes", "kTPS", "retry%", "remote%", "mean us", "trips", "waits",
        "card%", "cpu%");
    for (String mix : mixes) {
      for (String routing : routings) {
        for (int nodes : computeNodes) {
          ScaleOptions options =
              new ScaleOptions(
                  newMix(choice(MixKind.class, mix)),
                  choice(Routing.class, routing),
                  nodes,
                  memoryNodes,
                  copies,
                  threads(),
                  clients.threads == null ? clients.free : clients.threads.coroutines,
                  homesFrom,
                  recordCacheBytes(),
                  choice(ClockKind.class, clock),
                  model,
                  TimeUnit.MILLISECONDS.toNanos(millis),
                  Math.min(deaths, nodes - 1),
                  seed,
                  verbs);
          print(out, mix, routing, options, new ScaleRun(options, memory).run());
          out.flush();
        }
      }
    }
    return 0;
  }

  private void check() {
    boolean areNodes = computeNodes.stream().allMatch(each -> each >= 1 && each <= NODES_MAX);
    boolean areClients =
        clients.threads == null
            ? clients.free >= 1
            : clients.threads.count >= 1 && clients.threads.coroutines >= 1;
    if (!areNodes || memoryNodes < 1 || !areClients || millis < 1 || deaths < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--compute-nodes must be 1 to "
              + NODES_MAX
              + ", --memory-nodes, --clients, --threads, --coroutines and --millis at least 1,"
              + " --deaths at least 0");
    }
    if (copies < 1 || copies > memoryNodes) {
      throw new ParameterException(
          spec.commandLine(), "--copies must be 1 to the number of memory nodes");
    }
    if (homesFrom < 0) {
      throw new ParameterException(spec.commandLine(), "--homes-from must be at least 0");
    }
    if (homes != null && homes < NODES_MAX) {
      throw new ParameterException(spec.commandLine(), "--homes must be at least " + NODES_MAX);
    }
    if (!FabricModel.PRESETS.contains(fabric)) {
      throw new ParameterException(
          spec.commandLine(), "--fabric must be one of " + String.join(", ", FabricModel.PRESETS));
    }
    mixes.forEach(each -> choice(MixKind.class, each));
    routings.forEach(each -> choice(Routing.class, each));
  }

  private FabricModel model() {
    try {
      return FabricModel.preset(fabric).with(settings);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private long recordCacheBytes() {
    try {
      return Settings.of("--record-cache", Map.of("size", recordCache)).bytes("size", "0");
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private int threads() {
    return clients.threads == null ? 0 : clients.threads.count;
  }

  private <E extends Enum<E>> E choice(Class<E> of, String name) {
    for (E each : of.getEnumConstants()) {
      if (each.name().equalsIgnoreCase(name)) {
        return each;
      }
    }
    throw new ParameterException(
        spec.commandLine(),
        "unknown value '"
            + name
            + "'; there are "
            + String.join(
                ", ",
                List.of(of.getEnumConstants()).stream()
                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                    .toList()));
  }

  private Mix newMix(MixKind kind) {
    return switch (kind) {
      case SMALLBANK -> new SmallBankMix(homes == null ? 20_000 : homes);
      case TATP -> new TatpMix(homes == null ? 20_000 : homes);
      case TPCC -> new TpccMix(homes == null ? 64 : homes);
    };
  }

  private void print(
      PrintWriter out, String mix, String routing, ScaleOptions options, ScaleResult result) {
    line(out, String.format("%-10s %-10s %5d", mix, routing, options.computeNodes()), result);
    if (types) {
      for (Map.Entry<String, TypeTotals> each : result.types().entrySet()) {
        TypeTotals of = each.getValue();
        out.printf(
            "  %-24s %9d commits, %5.1f locks, %4.1f%% remote, %6.1f us, %5.2f trips, %4.2f"
                + " waits%n",
            each.getKey(),
            of.commits,
            of.each(of.localLocks + of.remoteLocks),
            100 * of.remoteShare(),
            of.each(of.nanos) / 1e3,
            of.each(of.roundTrips),
            of.each(of.lockRoundTrips));
      }
    }
    if (verbs) {
      new VerbReport(out, options.fabric()).print(result);
    }
    ScaleResult.Recovery recovery = result.recovery();
    if (recovery != null) {
      out.printf(
          "  deaths: fenced after %.3f ms, shards dealt out %.3f ms later, full work %.3f ms"
              + " later%n",
          recovery.detected() / 1e6, recovery.dealt() / 1e6, recovery.full() / 1e6);
    }
  }

  private static void line(PrintWriter out, String begin, ScaleResult result) {
    TypeTotals all = result.all();
    out.printf(
        "%s %9.1f %7.2f %8.1f %8.1f %7.2f %7.2f %6.1f %6.1f%n",
        begin,
        result.throughput() / 1e3,
        100 * result.conflictShare(),
        100 * all.remoteShare(),
        all.each(all.nanos) / 1e3,
        all.each(all.roundTrips),
        all.each(all.lockRoundTrips),
        100 * Arrays.stream(result.cards()).max().orElseThrow(),
        100 * result.processors());
  }
}
