package org.nelumbo.database.open;

import java.io.IOException;
import org.nelumbo.database.AttachReport;
import org.nelumbo.database.durable.ColdStart;
import org.nelumbo.database.durable.DroppedTables;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;
import org.nelumbo.dm.redo.node.LoadReport;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.redo.node.RemoteLogDisk;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolName;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.Catalog;

/**
 * Creates pools in memory from the logs that memory nodes keep. An engine loads the contents of the
 * files and detaches from the pool in order, like any compute node. If a pool has a single memory
 * node, that node does so before it serves requests; a pool with copies is loaded by the first
 * compute node that attaches.
 */
public final class NodePool {
  private static final String OWNER = "loader of the log";

  private NodePool() {}

  /**
   * Opens the log of a memory node and loads its pool, if there is one. The superblock then marks
   * the pool as complete.
   *
   * @param disk disk with the log's files; the log closes it, unless this method throws
   * @param options redo options, which may contain a function that opens the archive directory
   * @param memory empty memory of the node, which stays open; null to load nothing
   * @param loaders threads that load rows
   * @throws PoolOpenException if the files cannot be read, or are not files of a log
   * @throws org.nelumbo.dm.redo.DamagedFilesException if they are damaged
   * @throws org.nelumbo.error.NelumboException 53200 if the memory is too small, XX001 if the
   *     contents of the files are inconsistent
   */
  public static NodeLog open(
      Environment environment, Disk disk, RedoOptions options, Fabric memory, int loaders) {
    if (options.archive() == null) {
      return open(environment, disk, options, null, memory, loaders);
    }
    Disk archive = options.archive().get();
    boolean isOpen = false;
    try {
      NodeLog log = open(environment, disk, options, archive, memory, loaders);
      isOpen = true;
      return log;
    } finally {
      if (!isOpen) {
        archive.close();
      }
    }
  }

  private static NodeLog open(
      Environment environment,
      Disk disk,
      RedoOptions options,
      Disk archive,
      Fabric memory,
      int loaders) {
    try {
      GenerationDisk newest = GenerationDisk.newest(disk);
      RedoOptions own =
          archive == null ? options : options.withNodeArchive(() -> newest.in(archive));
      DatabaseFiles files =
          DatabaseFiles.open(environment, newest, own, RowLayout.FORMAT, PoolExpectation.ANY);
      if (archive != null) {
        NodeLog.checkArchive(archive, newest, files.id());
      }
      ColdStart start = new ColdStart(files, loaders);
      boolean isThere = start.read();
      NodeLog log =
          new NodeLog(environment, files, newest, start.lastStore(), DroppedTables::new, archive);
      if (isThere && memory != null) {
        EngineOptions engine = EngineOptions.DEFAULT.withMemoryBytes(memory.nodeBytes(0));
        load(environment, engine, files.id(), log.poolName(), memory, start);
      }
      return log;
    } catch (IOException e) {
      throw new PoolOpenException("cannot read the log in " + disk.location() + ": " + e, e);
    }
  }

  /**
   * Loads the pool from the logs of memory nodes, if there is one. No other process has the pool.
   *
   * @param fabric access to all memory nodes
   * @param name name of the pool if the logs do not contain it
   * @return true if there is a pool
   * @throws PoolOpenException if the log cannot be read
   */
  static boolean load(
      Environment environment, EngineOptions engine, Fabric fabric, String name, int loaders) {
    try (LoadReport report = new LoadReport(fabric.log())) {
      report.tell("comparing logs");
      return load(environment, engine, fabric, name, loaders, report);
    }
  }

  private static boolean load(
      Environment environment,
      EngineOptions engine,
      Fabric fabric,
      String name,
      int loaders,
      LoadReport report) {
    RemoteLogDisk disk = new RemoteLogDisk(fabric.log().unify(), environment);
    try {
      DatabaseFiles files =
          DatabaseFiles.open(
              environment, disk, RedoOptions.DEFAULT, RowLayout.FORMAT, PoolExpectation.ANY);
      ColdStart start = new ColdStart(files, loaders, progress -> report.tell(progress.toString()));
      boolean isThere = start.read();
      if (isThere) {
        String own = NodeLog.poolName(disk, files.id());
        load(environment, engine, files.id(), own.isEmpty() ? name : own, fabric, start);
      }
      return isThere;
    } catch (IOException e) {
      throw new PoolOpenException("cannot read the log of a memory node: " + e, e);
    } finally {
      disk.close();
    }
  }

  private static void load(
      Environment environment,
      EngineOptions options,
      long id,
      String name,
      Fabric memory,
      ColdStart start) {
    Fabric kept =
        new ForwardingFabric(memory) {
          /** Returns null, because the loaded data is in the log already. */
          @Override
          public PoolLog log() {
            return null;
          }

          @Override
          public void close() {
            // The memory outlives the engine.
          }
        };
    long epoch = PoolOwner.take(kept, OWNER, environment.epochMicros());
    PoolFormat.format(kept, id);
    PoolName.write(kept, name);
    Engine engine = new Engine(environment, kept, options);
    try {
      engine.start();
      Catalog catalog = start.load(engine);
      TableStore.TableRoots roots = catalog.roots();
      PoolFormat.complete(kept, roots.hash(), roots.primary());
      catalog.close();
      AttachReport report = new AttachReport(id, name, epoch, false, true, 0, 0, null);
      new PoolAttachment(engine, catalog, report).leave();
    } catch (RuntimeException | Error e) {
      engine.abandon();
      throw e;
    }
    engine.close();
  }
}
