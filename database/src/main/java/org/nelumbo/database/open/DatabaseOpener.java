package org.nelumbo.database.open;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.rdma.DeviceName;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.shm.SharingOptions;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.Tls;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.RemotePool;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;

/** Opens databases whose engines run in this process, for every kind of pool. */
public final class DatabaseOpener {
  private static final String PROTOCOL = "lotus";

  /** Cached CVTs and addresses of remote pools may take one part in this many of the heap. */
  private static final int CACHE_SHARE = 8;

  /** Size of a cached CVT and of the addresses cached with it. */
  private static final int CACHED_CVT_BYTES = 150 + 16 * Long.BYTES;

  private DatabaseOpener() {}

  /** Opens a new pool in the memory of this process. */
  public static LocalDatabase openMemory(DatabaseOptions options) {
    EngineOptions engineOptions = engineOptions(options);
    Engine engine =
        options.countVerbs()
            ? Engine.openMemory(engineOptions, CountingFabric::new)
            : Engine.openMemory(engineOptions);
    return opened(options, PoolAttachment.create(engine));
  }

  /**
   * Opens or creates a database in the files of a directory; its pool is in the memory of this
   * process. Throws 08001 if another process has it open.
   */
  public static LocalDatabase openFile(DatabaseOptions options, Path directory) {
    if (!Files.exists(directory)) {
      checkAbsent(options, directory);
    }
    Environment environment = new SystemEnvironment();
    return openFiles(
        options.withLoaders(Runtime.getRuntime().availableProcessors()),
        environment,
        () -> DirectoryDisk.open(directory, PoolAttachment.ownName()),
        () -> new LocalFabric(options.memoryBytes(), environment));
  }

  private static void checkAbsent(DatabaseOptions options, Path directory) {
    try {
      options.expectation().checkNoFiles(directory.toString());
    } catch (PoolOpenException e) {
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    }
  }

  /**
   * Opens or creates a database in the files of any disk.
   *
   * @param disk opens the disk, and ensures that no other process uses it
   * @param memory creates the empty memory of the pool
   */
  public static LocalDatabase openFiles(
      DatabaseOptions options,
      Environment environment,
      Supplier<Disk> disk,
      Supplier<Fabric> memory) {
    return opened(
        options,
        PoolAttachment.openFiles(options, engineOptions(options), environment, disk, memory));
  }

  /**
   * Attaches to the pool on the memory nodes of a fabric, or creates one on empty nodes. Closing
   * the database closes the fabric. The nodes determine the size of the pool.
   *
   * @param owner description of this process for users who find the pool in use
   * @param poolName name of the pool; empty if it has no name
   * @param opener opens the fabric, and ensures that no other process has the pool
   */
  public static LocalDatabase attach(
      DatabaseOptions options,
      Environment environment,
      String owner,
      String poolName,
      Supplier<Fabric> opener) {
    return attach(options, environment, owner, poolName, opener, null);
  }

  /**
   * Does the same as the method above, for a fabric whose compute nodes are agreed on elsewhere.
   *
   * @param sharing prepares the fabric for other compute nodes, and creates this one as their first
   *     member, when the pool was created or recovered
   */
  public static LocalDatabase attach(
      DatabaseOptions options,
      Environment environment,
      String owner,
      String poolName,
      Supplier<Fabric> opener,
      Function<Fabric, ClusterMember> sharing) {
    PoolAttachment attachment =
        PoolAttachment.attach(
            options, engineOptions(options), environment, owner, poolName, opener, sharing);
    return opened(options, attachment);
  }

  /**
   * Joins the compute nodes that share a pool. Closing the database leaves the pool to the other
   * members, and closes the fabric.
   *
   * @param poolName name of the pool; empty if it has no name
   * @param fabric access to the pool; closed if joining fails
   * @param member this compute node, which has not joined yet
   */
  public static LocalDatabase join(
      DatabaseOptions options,
      Environment environment,
      String poolName,
      Fabric fabric,
      ClusterMember member) {
    PoolAttachment attachment =
        PoolAttachment.join(options, engineOptions(options), environment, poolName, fabric, member);
    return opened(options, attachment);
  }

  private static LocalDatabase opened(DatabaseOptions options, PoolAttachment attachment) {
    try {
      return LocalDatabase.open(options, attachment);
    } catch (FabricException e) {
      attachment.giveUp(e);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      attachment.giveUp(e);
      throw e;
    }
  }

  /**
   * Attaches to a pool in shared files or creates one (see {@link SharedMemory}); other processes
   * may share it. Throws 08001 if they do not admit this process, or if the existing pool does not
   * match.
   *
   * @param wanted required properties of an existing pool; the size in the options is for a new one
   * @param lease how long this process may miss heartbeats before other members of the pool kill it
   */
  public static LocalDatabase openShared(
      DatabaseOptions options, Path path, SharedMemory.Wanted wanted, Duration lease) {
    Environment environment = new SystemEnvironment();
    return attach(
        options,
        environment,
        PoolAttachment.ownName(),
        "",
        () ->
            SharedMemory.openSharing(
                environment,
                path,
                wanted,
                options.memoryBytes(),
                options.expectation(),
                SharingOptions.of(PoolAttachment.ownName(), lease.toNanos())));
  }

  /**
   * Attaches to a pool on memory nodes over TCP or RDMA, or creates one on empty nodes. Throws
   * 08001 if a node cannot be reached, serves another process, or does not match, or if the pool's
   * name differs from the options.
   *
   * @param nodes {@code HOST:PORT} of all nodes of the pool, in order
   * @param secrets secrets for mutual authentication with the nodes
   * @param tls encryption settings; null for no encryption
   * @param rdma the RDMA device that performs verbs; null to send them over TCP
   * @param replicas copies of everything; 0 for the number in an existing pool; a new pool has
   *     three, or one on each node
   * @param witnesses voting memory nodes without data
   */
  public static LocalDatabase openRemote(
      DatabaseOptions options,
      List<String> nodes,
      Secrets secrets,
      Tls tls,
      DeviceName rdma,
      int replicas,
      List<NodeAddress> witnesses) {
    Environment environment = new SystemEnvironment();
    return attach(
        options.withLoaders(Runtime.getRuntime().availableProcessors()),
        environment,
        PoolAttachment.ownName(),
        options.name(),
        () ->
            failStop(
                options.minCopies(),
                RemotePool.open(
                    environment,
                    nodes.stream().map(DatabaseOpener::address).toList(),
                    TcpOptions.of(PoolAttachment.ownName())
                        .withSecrets(secrets)
                        .withTls(tls)
                        .withRdma(rdma)
                        .withPeerPort(options.peerPort()),
                    options.name(),
                    new WantedPool(replicas, 0, options.forceRecovery(), options.expectation()),
                    witnesses)));
  }

  /** Closes the fabric if it cannot be used, or if the heap is full. */
  private static Fabric failStop(int minCopies, Fabric fabric) {
    try {
      checkCopies(minCopies, fabric);
      return new FailStopFabric(fabric);
    } catch (RuntimeException | Error e) {
      fabric.close();
      throw e;
    }
  }

  private static void checkCopies(int minCopies, Fabric fabric) {
    int copies = fabric.replicationStatus().copies();
    if (copies < minCopies) {
      throw new PoolOpenException(
          "the pool has "
              + copies
              + " copies of all data, so no commit can have minCopies="
              + minCopies
              + ": set a smaller number, or copy the data into a new pool with SQL");
    }
  }

  private static NodeAddress address(String text) {
    try {
      return NodeAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    }
  }

  private static EngineOptions engineOptions(DatabaseOptions options) {
    if (!options.protocol().equalsIgnoreCase(PROTOCOL)) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "protocol " + options.protocol() + " is not supported; there is " + PROTOCOL);
    }
    return EngineOptions.DEFAULT
        .withMemoryBytes(options.memoryBytes())
        .withSnapshotRetentionNanos(options.snapshotRetention().toNanos())
        .withRecordCacheBytes(options.recordCacheBytes())
        .withMinCopies(options.minCopies())
        .withCachedCvts(cachedCvts());
  }

  /** Fewer CVTs in a small heap, because the application needs memory, too. */
  private static int cachedCvts() {
    long most = Runtime.getRuntime().maxMemory() / CACHE_SHARE / CACHED_CVT_BYTES;
    return (int) Math.min(EngineOptions.DEFAULT.cachedCvts(), most);
  }
}
