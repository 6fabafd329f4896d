package org.nelumbo.database.open;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 * A pool that this process has, from attaching to leaving. A new pool is formatted; one that is
 * there is recovered, whether its last owner has left or died. The fabric sees to it that nobody
 * else has the pool.
 *
 * @param engine started
 * @param report which pool it is, and how it was found
 * @param shared null if this process has the pool alone
 * @param durable what keeps it in files; null if nothing does
 */
record PoolAttachment(
    Engine engine, Catalog catalog, AttachReport report, Shared shared, DurableParts durable) {
  private static final Logger LOG = LoggerFactory.getLogger(PoolAttachment.class);

  /** What the size of a memory node is a multiple of. */
  private static final int PAGE_BYTES = 4096;

  /**
   * What there is of a pool that others have, too.
   *
   * @param member this process among them
   * @param schemaVersion that was agreed on before the catalogue was read
   */
  record Shared(ClusterMember member, long schemaVersion) {}

  PoolAttachment(Engine engine, Catalog catalog, AttachReport report) {
    this(engine, catalog, report, null, null);
  }

  /**
   * Joins those that have a pool.
   *
   * @param fabric closed if that fails
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
      PoolAttachment joined = join(engine, member);
      return joined.since(startMicros, environment.nanoTime() - start);
    } catch (PoolOpenException | FabricException e) {
      close(engine, fabric);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      close(engine, fabric);
      throw e;
    }
  }

  /** A compute node among those that share a pool; it has not entered yet. */
  static ClusterMember newMember(
      DatabaseOptions options, Environment environment, Fabric fabric, SharedPool pool) {
    ClusterMember.Options own = ClusterMember.Options.DEFAULT.withGuest(options.isGuest());
    return new ClusterMember(environment, fabric, pool, ownName(), own);
  }

  private static void checkJoinable(DatabaseOptions options, String poolName, Fabric fabric) {
    if (!PoolFormat.isComplete(fabric)) {
      throw new PoolOpenException(
          "the pool in " + place(fabric) + " is being made, or was not made whole: try again");
    }
    if (!poolName.isEmpty()) {
      PoolName.check(fabric, poolName);
    }
    options.expectation().checkFound(PoolFormat.poolId(fabric), place(fabric));
  }

  private static PoolAttachment join(Engine engine, ClusterMember member) {
    Fabric fabric = engine.fabric();
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
    Catalog catalog = // the last step: whoever fails closes it
        Catalog.join(
            engine,
            catalogueRoots(fabric),
            own -> member.watch(engine, SharedTables.unread(own))); // perhaps all others are dead
    return new PoolAttachment(engine, catalog, report, new Shared(member, version), null);
  }

  /** The engine closes the fabric. */
  private static void close(Engine engineOrNull, Fabric fabric) {
    if (engineOrNull == null) {
      fabric.close();
    } else {
      engineOrNull.close();
    }
  }

  /**
   * What keeps a pool in files that is in this process's memory.
   *
   * @param files of the database
   * @param checkpoints written while it is used
   */
  record DurableParts(DatabaseFiles files, Checkpoints checkpoints) {}

  /** A new pool in this process's memory. */
  static PoolAttachment create(Engine engine) {
    try {
      return new PoolAttachment(engine, makeCatalog(engine), AttachReport.EMBEDDED);
    } catch (RuntimeException | Error e) {
      close(engine, engine.fabric());
      throw e;
    }
  }

  /** A pool in this process's memory whose engine has stopped: another one recovers it. */
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
      engine.abandon(); // whoever tries again finds the pool as it is
      throw e;
    }
  }

  /**
   * Attaches to what {@code opener} opens; 08001 if that cannot be, saying why.
   *
   * @param owner what people read when they find the pool in use
   * @param poolName what the pool is called; empty if pools of this kind have no names
   */
  static PoolAttachment attach(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      String owner,
      String poolName,
      Supplier<Fabric> opener) {
    Fabric fabric = null;
    long startMicros = environment.epochMicros();
    long start = environment.nanoTime();
    try {
      fabric = opener.get();
      Fabric used = options.countVerbs() ? new CountingFabric(fabric) : fabric;
      SharedPool sharing = used.sharing();
      if (sharing != null && sharing.isShared()) {
        ClusterMember member = newMember(options, environment, used, sharing);
        return join(options, engineOptions, environment, poolName, used, member);
      }
      PoolAttachment attachment =
          attach(options, engineOptions, environment, owner, poolName, used);
      return attachment.since(startMicros, environment.nanoTime() - start);
    } catch (PoolLoadingException e) {
      throw new NelumboException(
          ErrorCode.STARTING, e.getMessage() + "; try again, or wait for it by a login timeout", e);
    } catch (PoolOpenException | FabricException e) {
      close(fabric);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      close(fabric);
      throw e;
    }
  }

  /**
   * Opens a database in files: makes its pool anew in memory, and has commits written to the files.
   * 08001 if that cannot be, XX001 if the files are damaged, saying why.
   *
   * @param opener opens the directory, and sees to it that nobody else has it
   * @param memory makes the memory of the pool
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
          ErrorCode.IO_ERROR, "the log in " + disk.place() + " cannot be read: " + e, e);
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
   * Opens a database whose memory was kept when it was closed, as a pool that was left in order.
   *
   * @return null if there is none that can be used
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
        throw new PoolOpenException("what it has is not the pool of this database, left in order");
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
      LOG.warn("the memory that was kept in {} is of no use: loading rows", files.place(), e);
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

  /** A database in files whose log goes on. */
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

  private static PoolAttachment attach(
      DatabaseOptions options,
      EngineOptions engineOptions,
      Environment environment,
      String owner,
      String poolName,
      Fabric fabric) {
    boolean complete =
        PoolFormat.isComplete(fabric)
            || fabric.log() != null
                && NodePool.load(environment, engineOptions, fabric, poolName, options.loaders());
    if (complete && !poolName.isEmpty()) {
      PoolName.check(fabric, poolName);
    }
    if (complete) {
      options.expectation().checkFound(PoolFormat.poolId(fabric), place(fabric));
    } else {
      options.expectation().checkAbsent(place(fabric));
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
        fabric.log().forgetCommitted(); // of somebody who did not come to the end of this
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
      engine.start();
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
      return new PoolAttachment(engine, catalog, report);
    } catch (RuntimeException | Error e) {
      engine.abandon();
      throw e;
    }
  }

  private static NelumboException damaged(Fabric fabric, Throwable cause) {
    return new NelumboException(
        ErrorCode.DATA_CORRUPTED,
        "the pool in "
            + place(fabric)
            + " is damaged, and cannot be opened: its superblock, logs or catalogue lead nowhere ("
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

  /** A pool that comes into being may have taken the place of one that is lost. */
  private static void logNew(DatabaseOptions options, Fabric fabric) {
    String what = "made a new, empty pool {} with the id {} in {}";
    String id = PoolExpectation.text(PoolFormat.poolId(fabric));
    if (options.expectation().presence() == PoolExpectation.Presence.ABSENT) {
      LOG.info(what, options.name(), id, place(fabric));
    } else {
      LOG.warn(what, options.name(), id, place(fabric));
    }
  }

  private static String place(Fabric fabric) {
    List<String> places = places(fabric);
    return places.isEmpty() ? "its memory" : String.join(", ", places);
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
          "attached to pool {} whose last owner died, epoch {}: {}", options.name(), epoch, report);
    }
  }

  /** Whether the pool is there when this process has ended. */
  boolean outlivesProcess() {
    return report.epoch() != 0;
  }

  /** Checks that the pool has that name, or none; 08001 if not. */
  void checkName(String wanted) {
    try {
      PoolName.check(report.poolName(), wanted);
    } catch (PoolOpenException e) {
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    }
  }

  /** Whether the pool can still be reached; costs a round trip where it is remote. */
  boolean isReachable() {
    try {
      checkReachable();
      return true;
    } catch (NelumboException e) {
      return false;
    }
  }

  /** Says why the pool cannot be reached any more, if it cannot (08006); see above. */
  void checkReachable() {
    if (engine.fabric().isRemote()) {
      try {
        PoolOwner.hasLeft(engine.fabric());
      } catch (FabricException e) {
        throw new NelumboException(ErrorCode.CONNECTION_LOST, e.getMessage(), e);
      }
    }
  }

  /** Files or addresses of the memory nodes; empty if the pool is in this process's memory. */
  List<String> places() {
    return durable == null ? places(engine.fabric()) : List.of(durable.files.place());
  }

  /** Writes a checkpoint, if the pool is kept in files; whether that came to its end. */
  boolean checkpoint() {
    return durable != null && durable.checkpoints.write();
  }

  /** Metadata locks that are held beside those of sessions, if any. */
  List<HeldMetadataLocks> metadataLocks() {
    return durable == null ? List.of() : List.of(durable.checkpoints.metadataLocks());
  }

  private static List<String> places(Fabric fabric) {
    Set<String> places = new LinkedHashSet<>(); // a memory node may lead several slots
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (!fabric.nodeName(node).isEmpty()) {
        places.add(fabric.nodeName(node));
      }
    }
    return List.copyOf(places);
  }

  /** Leaves what the next owner finds; the last word says that all of it is there. */
  void leave() {
    if (durable != null) {
      durable.checkpoints.close();
      closeFiles();
      return;
    }
    long inventory =
        outlivesProcess() ? engine.writeFreeSpaceMap(report.epoch()) : PoolAddress.NULL;
    PoolOwner.leave(engine.fabric());
    if (inventory != PoolAddress.NULL) {
      FreeSpaceMapWriter.publish(engine.fabric(), inventory);
    }
  }

  /**
   * Leaves a pool that others may have, too. If nobody has it, the next one attaches to what was
   * left in order; what memory is free it has to find out.
   */
  void leaveShared() {
    SharedPool sharing = engine.fabric().sharing();
    if (sharing == null) {
      return; // who has agreed on it in another way knows what comes next
    }
    try {
      sharing.ownAlone();
      PoolOwner.leave(engine.fabric());
    } catch (PoolInUseException e) {
      LOG.debug("the pool is left to others: {}", e.getMessage());
    }
  }

  /** The log ends when nobody commits any more, and the memory is kept when nobody changes it. */
  private void closeFiles() {
    boolean isInOrder = false;
    try {
      long map = engine.writeFreeSpaceMap(PoolOwner.epoch(engine.fabric()));
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
   * Lets go of a pool of which no database could be made: who has it, too, or attaches next,
   * recovers what this process has begun.
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

  /** Lets go of what is outside of memory, as it is; harmless after {@link #leave}. */
  void abandon() {
    if (durable != null) {
      durable.checkpoints.close();
      durable.files.abandon();
    }
  }

  /** What people read when they find the pool in use. */
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
