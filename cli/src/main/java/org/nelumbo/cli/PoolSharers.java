package org.nelumbo.cli;

import java.util.Properties;
import org.nelumbo.dm.fabric.shm.SharedFilesReport;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import picocli.CommandLine;

/** The compute nodes that share a pool, for a command that does not disturb them. */
interface PoolSharers {
  /**
   * Returns true if the pool is shared.
   *
   * @throws PoolOpenException if the pool cannot be reached
   */
  boolean isThere();

  /**
   * Returns the configuration on which they have agreed.
   *
   * @throws PoolOpenException if it is unknown
   */
  ClusterConfiguration agreed();

  /** Returns the additional connection properties of a process that is a non-voting member. */
  Properties properties();

  /**
   * Returns the compute nodes of a pool.
   *
   * @param who display name of the command for the memory nodes
   * @throws picocli.CommandLine.ParameterException if such a pool cannot be shared
   */
  static PoolSharers of(String url, CommandLine command, String who) {
    if (SharedFilesUrl.isOne(url)) {
      return new InFiles(new SharedFilesUrl(url, command));
    }
    RemotePoolUrl pool = new RemotePoolUrl(url, command);
    return new OnMemoryNodes(pool, pool.options(who));
  }

  /** The compute nodes that share a pool on memory nodes. */
  record OnMemoryNodes(RemotePoolUrl pool, TcpOptions options) implements PoolSharers {
    @Override
    public boolean isThere() {
      ComputeNodeLines tenants = new ComputeNodeLines();
      tenants.add(TcpFabric.status(NodeAddress.parse(pool.nodes().getFirst()), 0, options));
      return tenants.isShared();
    }

    @Override
    public ClusterConfiguration agreed() {
      ClusterConfiguration configuration = RemotePoolUrl.configuration(pool.nodes(), options);
      if (configuration == null) {
        throw new PoolOpenException(
            "no memory node returned the configuration of the compute nodes");
      }
      return configuration;
    }

    @Override
    public Properties properties() {
      return pool.properties(true);
    }
  }

  /** The processes that share a pool in shared files. */
  record InFiles(SharedFilesUrl pool) implements PoolSharers {
    @Override
    public boolean isThere() {
      return pool.report().processes().stream().anyMatch(SharedFilesReport.SharingProcess::isAlive);
    }

    @Override
    public ClusterConfiguration agreed() {
      ClusterConfiguration configuration = SharedFilesUrl.configuration(pool.report());
      if (configuration == null) {
        throw new PoolOpenException("the processes have no common configuration yet: try again");
      }
      return configuration;
    }

    @Override
    public Properties properties() {
      return RemotePoolUrl.properties(pool.text(), true);
    }
  }
}
