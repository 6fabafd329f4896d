package org.nelumbo.cli;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.nelumbo.database.Database;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterNode;
import org.nelumbo.executor.lock.remote.LockShards;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo shards}: shows the owners of the lock shards without disturbing the compute nodes,
 * and moves shards manually. Exit status: 0 done, 1 shards have not moved in time, 2 wrong usage, 3
 * the pool cannot be reached, or no compute node has it open.
 */
@Command(
    name = "shards",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Shows which compute node grants the locks of which shards, and moves shards.",
    footer = {
      "",
      "Prints one line for each compute node, and one for the shards that are pinned to",
      "it. 0-4094/2 means 0, 2, 4 and so on. The secret is read from the URL or from the",
      "environment variable NELUMBO_SECRET.",
      "",
      "Exit status: 0 done, 1 the shards were not moved in time, 2 wrong usage, 3 the pool",
      "cannot be reached, or no compute node has it open."
    })
final class ShardsCommand implements Callable<Integer> {
  private static final long POLL_MILLIS = 20;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "URL",
      arity = "0..1",
      description = "As jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME, or jdbc:nelumbo:shm:PATH.")
  private String url;

  @Override
  public Integer call() {
    if (url == null) {
      throw new ParameterException(spec.commandLine(), "the URL is missing");
    }
    PoolSharers sharers = PoolSharers.of(url, spec.commandLine(), "shards");
    PrintWriter out = spec.commandLine().getOut();
    try {
      if (sharers.isThere()) {
        show(sharers.agreed(), out);
      } else {
        out.println("no compute node has the pool open");
      }
      out.flush();
      return ExitStatus.DONE;
    } catch (PoolOpenException | IllegalArgumentException e) {
      return failed(spec, ExitStatus.NO_DATABASE, e.getMessage());
    }
  }

  private static int failed(CommandSpec spec, int status, String why) {
    spec.commandLine().getErr().println("nelumbo: " + why);
    spec.commandLine().getErr().flush();
    return status;
  }

  private static void show(ClusterConfiguration configuration, PrintWriter out) {
    Map<PeerId, BitSet> pinned = new LinkedHashMap<>();
    for (int shard = 0; shard < LockShards.COUNT; shard++) {
      PeerId at = configuration.pins().at(shard);
      if (at != null) {
        pinned.computeIfAbsent(at, _ -> new BitSet()).set(shard);
      }
    }
    for (ClusterNode each : configuration.nodes()) {
      BitSet owned = configuration.map().shardsOf(each.id());
      String node = "compute_node=" + each.id().incarnation();
      out.println(
          node
              + (configuration.isGuest(each) ? " guest=yes" : "")
              + " shards="
              + owned.cardinality()
              + (owned.isEmpty() ? "" : " owned=" + ShardRanges.text(owned)));
      if (pinned.containsKey(each.id())) {
        out.println(node + " placed=" + ShardRanges.text(pinned.get(each.id())));
      }
    }
    BitSet ownerless = configuration.map().ownerless();
    if (!ownerless.isEmpty()) {
      out.println(
          "compute_node=none shards="
              + ownerless.cardinality()
              + " owned="
              + ShardRanges.text(ownerless));
    }
  }

  /** Moves shards to a compute node and pins them there. */
  @Command(
      name = "move",
      mixinStandardHelpOptions = true,
      description = {
        "Moves shards to a compute node.",
        "They stay there until it leaves or fails, or until they are moved or released. The present"
            + " owner hands over a shard as soon as no lock in it is held."
      })
  int move(
      @Parameters(paramLabel = "URL") String of,
      @Parameters(paramLabel = "SHARDS", description = "As 0-511 or 7,16-31; there are 0 to 4095.")
          String shards,
      @Parameters(
              paramLabel = "COMPUTE_NODE",
              description = "Number of the compute node, as nelumbo status shows it.")
          long node,
      @Option(
              names = "--wait",
              paramLabel = "TIME",
              defaultValue = "30s",
              converter = DurationConverter.class,
              description = "Maximum time to wait for the move (default: 30s).")
          Duration wait) {
    BitSet moving = parsed(shards);
    Predicate<ClusterConfiguration> isDone =
        latest -> {
          ClusterNode at = latest.node(node);
          return at != null
              && moving.stream().allMatch(each -> at.id().equals(latest.map().owner(each)));
        };
    return change(of, database -> database.pinShards(moving, node), isDone, wait);
  }

  /** Unpins shards, whose owners the compute nodes decide again. */
  @Command(
      name = "release",
      mixinStandardHelpOptions = true,
      description = "Unpins shards: the compute nodes assign them automatically again.")
  int release(
      @Parameters(paramLabel = "URL") String of,
      @Parameters(paramLabel = "SHARDS", description = "As 0-511 or 7,16-31; there are 0 to 4095.")
          String shards) {
    BitSet released = parsed(shards);
    return change(of, database -> database.releaseShards(released), _ -> true, Duration.ZERO);
  }

  private BitSet parsed(String shards) {
    try {
      return ShardRanges.parse(shards);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private interface Change {
    void applyTo(Database database);
  }

  /** Joins as a non-voting member for the duration of a change. */
  private int change(
      String of, Change change, Predicate<ClusterConfiguration> isDone, Duration wait) {
    PoolSharers sharers = PoolSharers.of(of, spec.commandLine(), "shards");
    try {
      if (!sharers.isThere()) {
        return failed(spec, ExitStatus.NO_DATABASE, "no compute node has the pool open");
      }
      try (Connection connection = DriverManager.getConnection(of, sharers.properties())) {
        change.applyTo(connection.unwrap(Database.class));
        return await(sharers, isDone, wait);
      }
    } catch (PoolOpenException | IllegalArgumentException | SQLException e) {
      return failed(spec, ExitStatus.NO_DATABASE, e.getMessage());
    } catch (NelumboException e) {
      boolean isWrong = e.code() == ErrorCode.BAD_PARAMETER || e.code() == ErrorCode.LIMIT_EXCEEDED;
      return failed(spec, isWrong ? ExitStatus.USAGE : ExitStatus.NO_DATABASE, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(spec, ExitStatus.FAILED, "interrupted");
    }
  }

  private int await(PoolSharers sharers, Predicate<ClusterConfiguration> isDone, Duration wait)
      throws InterruptedException {
    long end = System.nanoTime() + wait.toNanos();
    ClusterConfiguration latest = sharers.agreed();
    while (!isDone.test(latest) && System.nanoTime() - end < 0) {
      Thread.sleep(POLL_MILLIS);
      latest = sharers.agreed();
    }
    show(latest, spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
    return isDone.test(latest)
        ? ExitStatus.DONE
        : failed(
            spec,
            ExitStatus.FAILED,
            "not all shards have moved yet: transactions hold locks in them, or their owner is"
                + " being recovered; they move afterwards");
  }
}
