package org.nelumbo.database.open;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

/** Opens databases whose engines run in this process, wherever their pools are. */
public final class DatabaseOpener {
  private static final String PROTOCOL = "lotus";

  /** Part of the heap that cached CVTs and addresses of remote pools may take. */
  private static final int CACHE_SHARE = 8;

  /** A cached CVT, and the addresses that are kept for each. */
  private static final int CACHED_CVT_BYTES = 150 + 16 * Long.BYTES;

  private DatabaseOpener() {}

  /** Opens a new pool in this process's memory. */
  public static LocalDatabase openMemory(DatabaseOptions options) {
    EngineOptions engineOptions = engineOptions(options);
    Engine engine =
        options.countVerbs()
            ? Engine.openMemory(engineOptions, CountingFabric::new)
            : Engine.openMemory(engineOptions);
    return opened(options, PoolAttachment.create(engine));
  }

  /**
   * Opens a database in the files of a directory, or makes one; 08001 if somebody else has it. Its
   * pool is in this process's memory.
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
   * Opens a database in the files of any disk, or makes one.
   *
   * @param disk opens the disk, and sees to it that nobody else has it
   * @param memory makes the memory of the pool, without anything in it
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
   * Attaches to the pool on the memory nodes of a fabric, or makes one on empty nodes; closing the
   * database closes the fabric. The pool is as large as the nodes are.
   *
   * @param owner what people read when they find the pool in use
   * @param poolName what the pool is called; empty if it has no name
   * @param opener opens the fabric, and sees to it that nobody else has the pool
   */
  public static LocalDatabase attach(
      DatabaseOptions options,
      Environment environment,
      String owner,
      String poolName,
      Supplier<Fabric> opener) {
    PoolAttachment attachment =
        PoolAttachment.attach(
            options, engineOptions(options), environment, owner, poolName, opener);
    return opened(options, attachment);
  }

  /**
   * Joins those that have a pool; closing the database leaves it to them, and closes the fabric.
   *
   * @param poolName what the pool is called; empty if it has no name
   * @param fabric leads to the pool; closed if joining fails
   * @param member this compute node, which has not entered yet
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

  /** A database on a pool that this process has, and lets go of if that cannot be used. */
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
   * Attaches to a pool in shared files, or makes one (see {@link SharedMemory}), beside other
   * processes if they have it; 08001 if they do not let this one in, or what is there does not fit.
   *
   * @param wanted what a pool that is there has to be like; the size in the options is for a new
   *     one
   * @param lease how long this process may be silent before others that have the pool kill it
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
   * Attaches to a pool on memory nodes that are reached over TCP or RDMA, or makes one on empty
   * nodes; 08001 if one cannot be reached, serves somebody else, or does not fit, and if the pool
   * has another name than the options say.
   *
   * @param nodes {@code HOST:PORT} of all nodes of the pool, in order
   * @param secrets what the nodes demand, and have to know
   * @param tls how to encrypt; null: not at all
   * @param rdma the device by which verbs are done; null: they are sent over TCP
   * @param replicas copies of everything; 0: as many as there are; in a new pool three, or one on
   *     each node
   * @param witnesses memory nodes that have no data, and decide with the others
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

  /** The fabric is closed if it cannot be used, or there is no heap to use it. */
  private static Fabric failStop(int minCopies, Fabric fabric) {
    try {
      checkCopies(minCopies, fabric);
      return new FailStopFabric(fabric);
    } catch (RuntimeException | Error e) {
      fabric.close();
      throw e;
    }
  }

  /** Refuses a pool that can never have as many copies as are wanted. */
  private static void checkCopies(int minCopies, Fabric fabric) {
    int copies = fabric.replicationStatus().copies();
    if (copies < minCopies) {
      throw new PoolOpenException(
          "the pool has "
              + copies
              + " copies of everything, so no commit could have minCopies="
              + minCopies
              + ": ask for fewer, or copy the data into a new pool by SQL");
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

  /** The usual number, or fewer in a small heap: the application needs it, too. */
  private static int cachedCvts() {
    long most = Runtime.getRuntime().maxMemory() / CACHE_SHARE / CACHED_CVT_BYTES;
    return (int) Math.min(EngineOptions.DEFAULT.cachedCvts(), most);
  }
}
