package org.nelumbo.launcher;

import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.ExitStatus;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.lock.remote.LockShards;
import org.nelumbo.executor.lock.remote.ShardMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo shards}: which compute node decides on the locks of which shards, without
 * disturbing any. Exit status: 0 shown, 2 wrong usage, 3 no memory node that knows it answers.
 */
@Command(
    name = "shards",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Shows which compute node decides on the locks of which shards.",
    footer = {
      "",
      "A line for each range of shards that have one owner since one epoch. A secret is taken from",
      "the URL or from the environment variable NELUMBO_SECRET.",
      "",
      "Exit status: 0 shown, 2 wrong usage, 3 no memory node that knows it answers."
    })
final class ShardsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "URL", description = "As jdbc:nelumbo://HOST:PORT,HOST:PORT/NAME.")
  private String url;

  @Override
  public Integer call() {
    RemotePoolUrl pool = new RemotePoolUrl(url, spec.commandLine());
    TcpFabric.Options options = pool.options("shards");
    try {
      PrintWriter out = spec.commandLine().getOut();
      if (!isShared(TcpFabric.status(NodeAddress.parse(pool.nodes().getFirst()), 0, options))) {
        out.println("nobody shares the pool: who has it alone decides on all shards");
        out.flush();
        return ExitStatus.DONE;
      }
      ClusterConfiguration configuration = RemotePoolUrl.configuration(pool.nodes(), options);
      if (configuration == null) {
        throw new PoolOpenException("no memory node says what the compute nodes have agreed on");
      }
      show(configuration.map(), out);
      return ExitStatus.DONE;
    } catch (PoolOpenException | IllegalArgumentException e) {
      spec.commandLine().getErr().println("nelumbo: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }

  private static boolean isShared(String status) {
    ComputeNodeLines tenants = new ComputeNodeLines();
    tenants.add(status);
    return tenants.isShared();
  }

  private static void show(ShardMap map, PrintWriter out) {
    int first = 0;
    for (int shard = 1; shard <= LockShards.COUNT; shard++) {
      if (shard == LockShards.COUNT || !isAlike(map, first, shard)) {
        PeerId owner = map.owner(first);
        out.println(
            "shards="
                + first
                + "-"
                + (shard - 1)
                + " compute_node="
                + (owner == null ? "none" : owner.incarnation())
                + " since_epoch="
                + map.since(first));
        first = shard;
      }
    }
    out.flush();
  }

  private static boolean isAlike(ShardMap map, int one, int other) {
    return Objects.equals(map.owner(one), map.owner(other)) && map.since(one) == map.since(other);
  }
}
