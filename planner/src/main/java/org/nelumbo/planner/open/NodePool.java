package org.nelumbo.planner.open;

import java.io.IOException;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.DatabaseFiles;
import org.nelumbo.dm.redo.NodeLog;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolName;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.AttachReport;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.durable.ColdStart;
import org.nelumbo.planner.durable.DroppedTables;

/**
 * The pool of a memory node that keeps a log, made in the node's memory before it serves anybody:
 * an engine loads what the files have, and leaves the pool in order, as any compute node does.
 */
public final class NodePool {
  private static final String OWNER = "the memory node itself, at its start";

  private NodePool() {}

  /**
   * Opens the log of a memory node, and makes the pool that it has, if it has one; then the
   * superblock says that it is complete.
   *
   * @param disk of the log's files; the log closes it, unless this throws
   * @param memory of the node, with nothing in it; stays open
   * @param loaders threads that load rows
   * @throws PoolOpenException if the files cannot be read, or are none
   * @throws org.nelumbo.dm.redo.DamagedFilesException if they are damaged
   * @throws org.nelumbo.executor.error.NelumboException 53200 if the memory is too small, XX001 if
   *     the files say what cannot be
   */
  public static NodeLog open(
      Environment environment, Disk disk, RedoOptions options, Fabric memory, int loaders) {
    DatabaseFiles files =
        DatabaseFiles.open(environment, disk, options, RowLayout.FORMAT, PoolExpectation.ANY);
    ColdStart start = new ColdStart(files, loaders);
    boolean isThere = start.read();
    NodeLog log = new NodeLog(environment, files, disk, start.lastStore(), DroppedTables::new);
    try {
      if (isThere) {
        load(environment, files.id(), log.poolName(), memory, start);
      }
      return log;
    } catch (IOException e) {
      throw new PoolOpenException("cannot read the log in " + disk.place() + ": " + e, e);
    }
  }

  private static void load(
      Environment environment, long id, String name, Fabric memory, ColdStart start) {
    Fabric kept =
        new ForwardingFabric(memory) {
          @Override
          public void close() {
            // it goes on without the engine
          }
        };
    long epoch = PoolOwner.take(kept, OWNER, environment.epochMicros());
    PoolFormat.format(kept, id);
    PoolName.write(kept, name);
    EngineOptions options = EngineOptions.DEFAULT.withMemoryBytes(memory.nodeBytes(0));
    try (Engine engine = new Engine(environment, kept, options)) {
      engine.start();
      Catalog catalog = start.load(engine);
      TableStore.TableRoots roots = catalog.roots();
      PoolFormat.complete(kept, roots.hash(), roots.primary());
      catalog.close();
      AttachReport report = new AttachReport(id, name, epoch, false, true, 0, 0, null);
      new PoolAttachment(engine, catalog, report).leave();
    }
  }
}
