package org.nelumbo.planner.open;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.FreeSpaceMapWriter;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolName;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.recovery.RecoveryReport;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.AttachReport;
import org.nelumbo.planner.DatabaseOptions;
import org.nelumbo.planner.catalog.Catalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool that this process has, from attaching to leaving. A new pool is formatted; one that is
 * there is recovered, whether its last owner has left or died. The fabric sees to it that nobody
 * else has the pool.
 *
 * @param engine started
 * @param report which pool it is, and how it was found
 */
record PoolAttachment(Engine engine, Catalog catalog, AttachReport report) {
  private static final Logger LOG = LoggerFactory.getLogger(PoolAttachment.class);

  /** A new pool in this process's memory. */
  static PoolAttachment create(Engine engine) {
    return new PoolAttachment(engine, makeCatalog(engine), AttachReport.EMBEDDED);
  }

  /** A pool in this process's memory whose engine has stopped: another one recovers it. */
  static PoolAttachment recoverMemory(DatabaseOptions options, Engine stopped) {
    Fabric fabric = stopped.fabric();
    Environment environment = new SystemEnvironment();
    long epoch = PoolOwner.take(fabric, ownName(), environment.epochMicros());
    Engine engine = new Engine(environment, fabric, stopped.options());
    PoolRecovery recovery = new PoolRecovery(engine);
    Catalog catalog = openCatalog(engine, recovery);
    logRecovery(options, false, epoch, recovery.finish());
    engine.start();
    return new PoolAttachment(engine, catalog, AttachReport.EMBEDDED);
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
      PoolAttachment attachment =
          attach(options, engineOptions, environment, owner, poolName, used);
      return attachment.since(startMicros, environment.nanoTime() - start);
    } catch (PoolOpenException | FabricException e) {
      close(fabric);
      throw new NelumboException(ErrorCode.CONNECTION_FAILED, e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      close(fabric);
      throw e;
    }
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
    boolean complete = PoolFormat.isComplete(fabric);
    if (complete && !poolName.isEmpty()) {
      PoolName.check(fabric, poolName);
    }
    if (complete) {
      options.expectation().checkFound(PoolFormat.poolId(fabric), place(fabric));
    } else {
      options.expectation().checkAbsent(place(fabric));
    }
    boolean left = PoolOwner.hasLeft(fabric);
    FreeSpaceMap freeSpaceMap = complete ? FreeSpaceMap.take(fabric) : null;
    long epoch = PoolOwner.take(fabric, owner, environment.epochMicros());
    if (!complete) {
      PoolFormat.format(
          fabric, fabric.poolId() == 0 ? environment.randomLong() | 1 : fabric.poolId());
      PoolName.write(fabric, poolName);
    }
    Engine engine = new Engine(environment, fabric, engineOptions);
    RecoveryReport recovery = null;
    Catalog catalog;
    if (complete) {
      try {
        PoolRecovery poolRecovery = new PoolRecovery(engine, freeSpaceMap);
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
    return new PoolAttachment(engine, catalog, timed);
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
    TableStore.TableRoots roots =
        new TableStore.TableRoots(
            PoolFormat.catalogueHashRoot(engine.fabric()),
            PoolFormat.catalogueOrderedRoot(engine.fabric()));
    return Catalog.open(engine, roots, recovery);
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
    if (!engine.fabric().isRemote()) {
      return true;
    }
    try {
      PoolOwner.hasLeft(engine.fabric());
      return true;
    } catch (FabricException e) {
      return false;
    }
  }

  /** Files or addresses of the memory nodes; empty if the pool is in this process's memory. */
  List<String> places() {
    return places(engine.fabric());
  }

  private static List<String> places(Fabric fabric) {
    List<String> places = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      if (!fabric.nodeName(node).isEmpty()) {
        places.add(fabric.nodeName(node));
      }
    }
    return places;
  }

  /** Leaves what the next owner finds; the last word says that all of it is there. */
  void leave() {
    long inventory =
        outlivesProcess() ? engine.writeFreeSpaceMap(report.epoch()) : PoolAddress.NULL;
    PoolOwner.leave(engine.fabric());
    if (inventory != PoolAddress.NULL) {
      FreeSpaceMapWriter.publish(engine.fabric(), inventory);
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
