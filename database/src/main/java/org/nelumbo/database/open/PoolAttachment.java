package org.nelumbo.database.open;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.nelumbo.database.AttachReport;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.durable.Checkpoints;
import org.nelumbo.database.durable.ColdStart;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolLoadingException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.MemoryImage;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.superblock.DamagedPages;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolName;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.SharedTables;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.recovery.RecoveryReport;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool attached to this process, from attaching to leaving. A new pool is formatted. An existing
 * pool is recovered, whether its last owner has detached or failed. The fabric ensures that no
 * other process has the pool.
 *
 * @param engine the started engine
 * @param report id and state of the pool at the attach
 * @param shared membership of a shared pool; null if the pool is exclusive
 * @param durable files of the pool; null if it has none
 */
record PoolAttachment(
    Engine engine, Catalog catalog, AttachReport report, Shared shared, DurableParts durable) {
  private static final Logger LOG = LoggerFactory.getLogger(PoolAttachment.class);

  /** The size of a memory node is a multiple of this. */
  private static final int PAGE_BYTES = 4096;

  /**
   * Membership of a shared pool.
   *
   * @param member this process as a member
   * @param schemaVersion schema version that was agreed on before the catalog was read
   * @param isFirst true if no other compute node can join yet
   */
  record Shared(ClusterMember member, long schemaVersion, boolean isFirst) {}

  PoolAttachment(Engine engine, Catalog catalog, AttachReport report) {
    this(engine, catalog, report, null, null);
  }

  /**
   * Joins the compute nodes that share a pool.
   *
   * @param fabric closed on failure
   */
  static PoolAttachment join(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      String poolName,
      Fabric fabric,
      ClusterMember member) {
    long startMicros = environment.epochMicros();
    long start = environment.nanoTime();
    Engine engine = null;
    try {
      checkJoinable(options, poolName, fabric);
      engine = Engine.join(environment, fabric, engineOptions, member);
      engine.start();
      AttachReport report =
          new AttachReport(
              PoolFormat.poolId(fabric),
              PoolName.read(fabric),
              PoolOwner.epoch(fabric),
              false,
              true,
              0,
              0,
              null);
      long version = member.schema().state().version();
      Catalog catalog = joinCatalog(engine, member, Map.of());
      PoolAttachment joined =
          new PoolAttachment(engine, catalog, report, new Shared(member, version, false), null);
      return joined.since(startMicros, environment.nanoTime() - start);
    } catch (PoolOpenException | FabricException e) {
      close(engine, fabric);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      close(engine, fabric);
      throw e;
    }
  }

  /** Creates a member of a shared pool, which has not joined yet. */
  static ClusterMember newMember(
      DatabaseOptions options, Environment environment, Fabric fabric, SharedPool pool) {
    ClusterMember.Options own = ClusterMember.Options.DEFAULT.withGuest(options.isGuest());
    return new ClusterMember(environment, fabric, pool, ownName(), own);
  }

  private static void checkJoinable(DatabaseOptions options, String poolName, Fabric fabric) {
    if (!PoolFormat.isComplete(fabric)) {
      throw new PoolOpenException(
          "the pool in "
              + location(fabric)
              + " is being created, or its creation was interrupted: try again");
    }
    if (!poolName.isEmpty()) {
      PoolName.check(fabric, poolName);
    }
    options.expectation().checkFound(PoolFormat.poolId(fabric), location(fabric));
  }

  /** The last step of joining: a failure closes the catalog. */
  private static Catalog joinCatalog(
      Engine engine, ClusterMember member, Map<Integer, String> damaged) {
    return Catalog.join(
        engine,
        catalogueRoots(engine.fabric()),
        damaged,
        own -> member.watch(engine, SharedTables.unread(own))); // all other members may have failed
  }

  /** Prepares a fabric for other compute nodes, and creates this one as a member. */
  private interface MemberFactory {
    /**
     * Does so once.
     *
     * @param isScanned true if all memory that no table uses was freed
     */
    ClusterMember create(boolean isScanned);
  }

  /**
   * Ends the exclusive use of a pool that was created or recovered, and makes this process the
   * first member of those that share it.
   */
  private PoolAttachment share(Environment environment, MemberFactory newMember) {
    Map<Integer, String> damaged = new HashMap<>();
    catalog.state().tables().stream()
        .filter(table -> table.damage() != null)
        .forEach(table -> damaged.put(table.id(), table.damage()));
    int nextId = catalog.nextId();
    catalog.close();
    FreeSpaceMap memory = engine.leaveToMembers();
    boolean isScanned = report.recovery() != null && !report.recovery().inOrder();
    ClusterMember member = newMember.create(isScanned);
    Engine next = Engine.join(environment, engine.fabric(), engine.options(), member);
    try {
      next.restore(memory, memory.timestamp());
      if (!damaged.isEmpty()) {
        next.markUnclean(); // the next attach has to find the damage, too
      }
      next.start();
      member.schema().change(schema -> schema.ended(nextId));
      long version = member.schema().state().version();
      Catalog joined = joinCatalog(next, member, damaged);
      return new PoolAttachment(next, joined, report, new Shared(member, version, true), null);
    } catch (RuntimeException | Error e) {
      next.close();
      throw e;
    }
  }

  private static void close(Engine engineOrNull, Fabric fabric) {
    if (engineOrNull == null) {
      fabric.close();
    } else {
      engineOrNull.close();
    }
  }

  /**
   * The files of a pool in the memory of this process.
   *
   * @param files files of the database
   * @param checkpoints checkpoints written while the database is open
   */
  record DurableParts(DatabaseFiles files, Checkpoints checkpoints) {}

  /** Creates a new pool in the memory of this process. */
  static PoolAttachment create(Engine engine) {
    try {
      return new PoolAttachment(engine, makeCatalog(engine), AttachReport.EMBEDDED);
    } catch (RuntimeException | Error e) {
      close(engine, engine.fabric());
      throw e;
    }
  }

  /** Recovers a pool in the memory of this process, whose engine has stopped, with a new engine. */
  static PoolAttachment recoverMemory(DatabaseOptions options, Engine stopped) {
    Fabric fabric = stopped.fabric();
    Environment environment = new SystemEnvironment();
    long epoch = PoolOwner.take(fabric, ownName(), environment.epochMicros());
    Engine engine = new Engine(environment, fabric, stopped.options());
    try {
      PoolRecovery recovery = new PoolRecovery(engine);
      Catalog catalog = openCatalog(engine, recovery);
      logRecovery(options, false, epoch, recovery.finish());
      engine.start();
      return new PoolAttachment(engine, catalog, AttachReport.EMBEDDED);
    } catch (RuntimeException | Error e) {
      engine.abandon(); // the next attempt finds the pool unchanged
      throw e;
    }
  }

  /**
   * Attaches to the pool that {@code opener} opens; throws 08001 with the reason on failure.
   *
   * @param owner description of this process for users who find the pool in use
   * @param poolName name of the pool; empty if pools of this kind have no names
   * @param sharing prepares a fabric for other compute nodes, and creates this one as a member;
   *     null to do so if memory nodes keep track of compute nodes
   */
  static PoolAttachment attach(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      String owner,
      String poolName,
      Supplier<Fabric> opener,
      Function<Fabric, ClusterMember> sharing) {
    Fabric fabric = null;
    long startMicros = environment.epochMicros();
    long start = environment.nanoTime();
    try {
      fabric = opener.get();
      Fabric used = options.countVerbs() ? new CountingFabric(fabric) : fabric;
      SharedPool nodes = used.sharing();
      if (nodes != null && nodes.isShared()) {
        ClusterMember member = newMember(options, environment, used, nodes);
        return join(options, engineOptions, environment, poolName, used, member);
      }
      MemberFactory newMember = null;
      if (sharing != null) {
        newMember = _ -> sharing.apply(used);
      } else if (nodes != null) {
        newMember =
            isScanned -> {
              nodes.prepare(isScanned);
              return newMember(options, environment, used, nodes);
            };
      }
      PoolAttachment attachment =
          attach(options, engineOptions, environment, owner, poolName, used, newMember);
      return attachment.since(startMicros, environment.nanoTime() - start);
    } catch (PoolLoadingException e) {
      throw new NelumboException(
          ErrorCode.STARTING, e.getMessage() + "; try again, or wait with a login timeout", e);
    } catch (PoolOpenException | FabricException e) {
      close(fabric);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      close(fabric);
      throw e;
    }
  }

  /**
   * Opens a database in files: creates its pool in memory, and starts to write commits to the
   * files. Throws 08001 on failure, XX001 if the files are damaged, with the reason.
   *
   * @param opener opens the directory, and ensures that no other process uses it
   * @param memory creates the memory of the pool
   */
  static PoolAttachment openFiles(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      Supplier<Disk> opener,
      Supplier<Fabric> memory) {
    Disk disk = null;
    Fabric fabric = null;
    try {
      disk = opener.get();
      long startMicros = environment.epochMicros();
      long start = environment.nanoTime();
      DatabaseFiles files =
          DatabaseFiles.open(
              environment,
              disk,
              options.redo(),
              RowLayout.FORMAT,
              options.expectation(),
              (options.memoryBytes() + PAGE_BYTES - 1) & -PAGE_BYTES);
      fabric = memory.get();
      PoolAttachment attachment = openImage(options, engineOptions, environment, files, fabric);
      if (attachment == null) {
        if (files.image() != null) {
          files.giveUpImage();
          fabric.close();
          fabric = memory.get();
        }
        Fabric used = options.countVerbs() ? new CountingFabric(fabric) : fabric;
        attachment = openFiles(options, engineOptions, environment, files, used);
      }
      return attachment.since(startMicros, environment.nanoTime() - start);
    } catch (IOException e) {
      close(disk, fabric);
      throw new NelumboException(
          ErrorCode.IO_ERROR, "the log in " + disk.location() + " cannot be read: " + e, e);
    } catch (PoolOpenException e) {
      close(disk, fabric);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RedoFailedException e) {
      close(disk, fabric);
      throw new NelumboException(ErrorCode.IO_ERROR, e.getMessage(), e);
    } catch (DamagedFilesException e) {
      close(disk, fabric);
      throw new NelumboException(ErrorCode.DATA_CORRUPTED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      close(disk, fabric);
      throw e;
    }
  }

  private static void close(Disk disk, Fabric fabric) {
    close(fabric);
    if (disk != null) {
      disk.close();
    }
  }

  private static PoolAttachment openFiles(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      DatabaseFiles files,
      Fabric fabric) {
    PoolFormat.format(fabric, files.id());
    Engine engine = Engine.durable(environment, fabric, engineOptions, files.log());
    engine.start();
    try {
      Catalog catalog = new ColdStart(files, options.loaders()).run(engine);
      TableStore.TableRoots roots = catalog.roots();
      PoolFormat.complete(fabric, roots.hash(), roots.primary());
      return ofFiles(engine, catalog, files);
    } catch (RuntimeException | Error e) {
      files.stop();
      engine.leavePool();
      throw e;
    }
  }

  /**
   * Opens a database from the memory image that was written when it was closed, as a pool whose
   * owner has detached in order.
   *
   * @return null if there is no usable image
   */
  private static PoolAttachment openImage(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      DatabaseFiles files,
      Fabric fabric) {
    MemoryImage image = files.image();
    if (image == null) {
      return null;
    }
    Engine engine = null;
    Catalog catalog;
    try {
      fabric.fill(image);
      FreeSpaceMap map = PoolFormat.isComplete(fabric) ? FreeSpaceMap.take(fabric) : null;
      if (map == null || PoolFormat.poolId(fabric) != files.id()) {
        throw new PoolOpenException(
            "it does not contain the pool of this database after a clean close");
      }
      PoolOwner.take(fabric, ownName(), environment.epochMicros());
      Fabric used = options.countVerbs() ? new CountingFabric(fabric) : fabric;
      engine = Engine.durable(environment, used, engineOptions, files.log());
      image.whenDamaged(engine::stop);
      PoolRecovery recovery = PoolRecovery.ofArriving(engine, map);
      catalog = openCatalog(engine, recovery);
      catalog.skipIds(image.nextId());
      recovery.finish();
    } catch (RuntimeException | AssertionError e) {
      LOG.warn("the memory image in {} cannot be used: loading rows", files.location(), e);
      close(engine, fabric);
      return null;
    }
    engine.clock().raiseTo(files.lastTimestamp());
    engine.start();
    try {
      files.start(engine.clock()::now, engine::stop);
      return ofFiles(engine, catalog, files);
    } catch (RuntimeException | Error e) {
      files.stop();
      engine.leavePool();
      throw e;
    }
  }

  private static PoolAttachment ofFiles(Engine engine, Catalog catalog, DatabaseFiles files) {
    Checkpoints checkpoints = new Checkpoints(engine, catalog, files);
    checkpoints.start();
    AttachReport report =
        new AttachReport(files.id(), "", files.run(), files.isNew(), files.wasClosed(), 0, 0, null);
    return new PoolAttachment(engine, catalog, report, null, new DurableParts(files, checkpoints));
  }

  private static void close(Fabric fabric) {
    if (fabric != null) {
      fabric.close();
    }
  }

  /**
   * Attaches exclusively.
   *
   * @param newMember null if the pool stays exclusive
   */
  private static PoolAttachment attach(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      String owner,
      String poolName,
      Fabric fabric,
      MemberFactory newMember) {
    boolean complete =
        PoolFormat.isComplete(fabric)
            || fabric.log() != null
                && NodePool.load(environment, engineOptions, fabric, poolName, options.loaders());
    if (complete && !poolName.isEmpty()) {
      PoolName.check(fabric, poolName);
    }
    if (complete) {
      options.expectation().checkFound(PoolFormat.poolId(fabric), location(fabric));
    } else {
      options.expectation().checkAbsent(location(fabric));
    }
    boolean left = PoolOwner.hasLeft(fabric);
    DamagedPages lost = DamagedPages.find(fabric);
    FreeSpaceMap freeSpaceMap = complete ? FreeSpaceMap.take(fabric) : null;
    long epoch = PoolOwner.take(fabric, owner, environment.epochMicros());
    if (!complete) {
      PoolFormat.format(
          fabric, fabric.poolId() == 0 ? environment.randomLong() | 1 : fabric.poolId());
      PoolName.write(fabric, poolName);
      if (fabric.log() != null) {
        fabric.log().forgetCommitted(); // left by a process that failed while creating the pool
      }
    }
    Engine engine = new Engine(environment, fabric, engineOptions);
    try {
      RecoveryReport recovery = null;
      Catalog catalog;
      if (complete) {
        try {
          PoolRecovery poolRecovery =
              lost.isAny()
                  ? PoolRecovery.ofDamaged(engine, lost, left)
                  : new PoolRecovery(engine, freeSpaceMap);
          catalog = openCatalog(engine, poolRecovery);
          recovery = poolRecovery.finish();
        } catch (FabricException | NelumboException e) {
          throw e;
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
          throw damaged(fabric, e);
        }
        logRecovery(options, left, epoch, recovery);
      } else {
        catalog = makeCatalog(engine);
        logNew(options, fabric);
      }
      AttachReport report =
          new AttachReport(
              PoolFormat.poolId(fabric),
              PoolName.read(fabric),
              epoch,
              !complete,
              left,
              0,
              0,
              recovery);
      PoolAttachment alone = new PoolAttachment(engine, catalog, report);
      if (newMember != null) {
        return alone.share(environment, newMember);
      }
      engine.start();
      return alone;
    } catch (RuntimeException | Error e) {
      engine.abandon();
      throw e;
    }
  }

  private static NelumboException damaged(Fabric fabric, Throwable cause) {
    return new NelumboException(
        ErrorCode.DATA_CORRUPTED,
        "the pool in "
            + location(fabric)
            + " is damaged, and cannot be opened: its superblock, logs or catalog have"
            + " invalid addresses ("
            + cause
            + "); keep a copy of it as it is",
        cause);
  }

  private PoolAttachment since(long startMicros, long nanos) {
    AttachReport timed =
        new AttachReport(
            report.poolId(),
            report.poolName(),
            report.epoch(),
            report.isNew(),
            report.wasLeft(),
            startMicros,
            nanos,
            report.recovery());
    return new PoolAttachment(engine, catalog, timed, shared, durable);
  }

  /**
   * A warning unless the pool was requested: the new pool may have taken the location of a lost
   * one.
   */
  private static void logNew(DatabaseOptions options, Fabric fabric) {
    String what = "created a new, empty pool {} with the id {} in {}";
    String id = PoolExpectation.text(PoolFormat.poolId(fabric));
    if (options.expectation().presence() == PoolExpectation.Presence.ABSENT) {
      LOG.info(what, options.name(), id, location(fabric));
    } else {
      LOG.warn(what, options.name(), id, location(fabric));
    }
  }

  private static String location(Fabric fabric) {
    List<String> locations = locations(fabric);
    return locations.isEmpty() ? "its memory" : String.join(", ", locations);
  }

  private static Catalog makeCatalog(Engine engine) {
    Catalog catalog = Catalog.create(engine);
    TableStore.TableRoots roots = catalog.roots();
    PoolFormat.complete(engine.fabric(), roots.hash(), roots.primary());
    return catalog;
  }

  private static Catalog openCatalog(Engine engine, PoolRecovery recovery) {
    return Catalog.open(engine, catalogueRoots(engine.fabric()), recovery);
  }

  private static TableStore.TableRoots catalogueRoots(Fabric fabric) {
    return new TableStore.TableRoots(
        PoolFormat.catalogueHashRoot(fabric), PoolFormat.catalogueOrderedRoot(fabric));
  }

  private static void logRecovery(
      DatabaseOptions options, boolean left, long epoch, RecoveryReport report) {
    if (left) {
      LOG.debug("attached to pool {}, epoch {}: {}", options.name(), epoch, report);
    } else {
      LOG.info(
          "attached to pool {} whose last owner failed, epoch {}: {}",
          options.name(),
          epoch,
          report);
    }
  }

  /** Returns true if the pool continues to exist after this process has ended. */
  boolean outlivesProcess() {
    return report.epoch() != 0;
  }

  /** Checks that the pool has this name or none; throws 08001 otherwise. */
  void checkName(String wanted) {
    try {
      PoolName.check(report.poolName(), wanted);
    } catch (PoolOpenException e) {
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    }
  }

  /** Returns true if the pool can still be reached; costs a round trip if it is remote. */
  boolean isReachable() {
    try {
      checkReachable();
      return true;
    } catch (NelumboException e) {
      return false;
    }
  }

  /** Throws 08006 with the reason if the pool can no longer be reached. */
  void checkReachable() {
    if (engine.fabric().isRemote()) {
      try {
        PoolOwner.hasLeft(engine.fabric());
      } catch (FabricException e) {
        throw new NelumboException(ErrorCode.CONNECTION_LOST, e.getMessage(), e);
      }
    }
  }

  /**
   * Returns the files or addresses of the memory nodes; empty if the pool is in the memory of this
   * process.
   */
  List<String> locations() {
    return durable == null ? locations(engine.fabric()) : List.of(durable.files.location());
  }

  /** Writes a checkpoint if the pool is kept in files; returns true if it was completed. */
  boolean checkpoint() {
    return durable != null && durable.checkpoints.write();
  }

  /** Returns the metadata locks that are held outside of sessions. */
  List<HeldMetadataLocks> metadataLocks() {
    return durable == null ? List.of() : List.of(durable.checkpoints.metadataLocks());
  }

  private static List<String> locations(Fabric fabric) {
    Set<String> locations = new LinkedHashSet<>(); // a memory node may have several slots
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (!fabric.nodeName(node).isEmpty()) {
        locations.add(fabric.nodeName(node));
      }
    }
    return List.copyOf(locations);
  }

  /**
   * Writes the state for the next owner, unless other members share the pool. The address of the
   * free space map is published last, and marks the state as complete.
   */
  void leave() {
    if (durable != null) {
      durable.checkpoints.close();
      closeFiles();
      return;
    }
    if (shared != null && !isLast()) {
      return;
    }
    long map = outlivesProcess() ? engine.leaveLast(report.epoch()) : PoolAddress.NULL;
    PoolOwner.leave(engine.fabric());
    if (map != PoolAddress.NULL) {
      FreeSpaceMapWriter.publish(engine.fabric(), map);
      if (shared != null) {
        engine.fabric().sharing().completeAlone();
      }
    }
  }

  /** Returns true if no other compute node has the pool open; none can join any more then. */
  private boolean isLast() {
    SharedPool nodes = engine.fabric().sharing();
    if (nodes == null) {
      return false; // a fabric with another membership protocol
    }
    try {
      nodes.ownAlone();
      return true;
    } catch (PoolInUseException e) {
      LOG.debug("other compute nodes still share the pool: {}", e.getMessage());
      return false;
    }
  }

  /**
   * The log ends after the last commit, and the memory image is written after the last change of
   * the memory.
   */
  private void closeFiles() {
    boolean isInOrder = false;
    try {
      long map = engine.leaveLast(PoolOwner.epoch(engine.fabric()));
      PoolOwner.leave(engine.fabric());
      isInOrder = map != PoolAddress.NULL && engine.fabric().nodeCount() == 1;
      if (isInOrder) {
        FreeSpaceMapWriter.publish(engine.fabric(), map);
      }
    } finally {
      closeFiles(isInOrder ? engine.fabric() : null);
    }
  }

  private void closeFiles(Fabric memoryOrNull) {
    try {
      durable.files.close(memoryOrNull, catalog.nextId());
    } catch (RedoFailedException e) {
      throw new NelumboException(ErrorCode.IO_ERROR, e.getMessage(), e);
    }
  }

  /**
   * Releases a pool on which no database could be opened. Its other members, or the next process
   * that attaches, recover the unfinished work of this process.
   */
  void giveUp(Throwable why) {
    try {
      abandon();
      engine.stop(why);
      engine.abandon();
    } finally {
      engine.fabric().close();
    }
  }

  /** Releases the files in their current state; has no effect after {@link #leave}. */
  void abandon() {
    if (durable != null) {
      durable.checkpoints.close();
      durable.files.abandon();
    }
  }

  /** Returns the description of this process for users who find the pool in use. */
  static String ownName() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      host = "unknown host";
    }
    return "process "
        + ProcessHandle.current().pid()
        + " on "
        + host
        + " (user "
        + System.getProperty("user.name")
        + ")";
  }
}
