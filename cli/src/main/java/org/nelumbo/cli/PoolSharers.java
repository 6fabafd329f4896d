package org.nelumbo.cli;

import java.util.Properties;
import org.nelumbo.dm.fabric.shm.SharedFilesReport;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import picocli.CommandLine;

/** The compute nodes that share a pool, as a command sees them that does not disturb any. */
interface PoolSharers {
  /**
   * Whether there are some.
   *
   * @throws PoolOpenException if the pool cannot be reached
   */
  boolean isThere();

  /**
   * What they have agreed on.
   *
   * @throws PoolOpenException if that is not known
   */
  ClusterConfiguration agreed();

  /** Properties for a JDBC connection besides those of the URL, of a process that is a guest. */
  Properties properties();

  /**
   * Those of a pool.
   *
   * @param who looks
   * @throws picocli.CommandLine.ParameterException if others cannot have such a pool
   */
  static PoolSharers of(String url, CommandLine command, String who) {
    if (SharedFilesUrl.isOne(url)) {
      return new InFiles(new SharedFilesUrl(url, command));
    }
    RemotePoolUrl pool = new RemotePoolUrl(url, command);
    return new OnMemoryNodes(pool, pool.options(who));
  }

  /** Of a pool on memory nodes. */
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
        throw new PoolOpenException("no memory node says what the compute nodes have agreed on");
      }
      return configuration;
    }

    @Override
    public Properties properties() {
      return pool.properties(true);
    }
  }

  /** Of a pool in shared files. */
  record InFiles(SharedFilesUrl pool) implements PoolSharers {
    @Override
    public boolean isThere() {
      return pool.report().processes().stream().anyMatch(SharedFilesReport.SharingProcess::isAlive);
    }

    @Override
    public ClusterConfiguration agreed() {
      ClusterConfiguration configuration = SharedFilesUrl.configuration(pool.report());
      if (configuration == null) {
        throw new PoolOpenException("the processes have not agreed on anything yet: try again");
      }
      return configuration;
    }

    @Override
    public Properties properties() {
      return RemotePoolUrl.properties(pool.text(), true);
    }
  }
}
