package org.nelumbo.executor.engine;

import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.table.TableStore.TableRoots;

/**
 * Creates, opens and drops tables and secondary indexes in an engine's pool. Keeps no list of them:
 * the caller does. Thread-safe, with one coordinator for each thread.
 */
public final class Tables {
  private final EngineContext engine;
  private final Coordinators coordinators;

  Tables(EngineContext engine, Coordinators coordinators) {
    this.engine = engine;
    this.coordinators = coordinators;
  }

  /**
   * Creates the indexes of an empty table.
   *
   * @throws NelumboException POOL_FULL (53200) if there is no memory for them
   */
  public TableStore create(Coordinator coordinator, TableSchema schema) {
    coordinator.context().changes().begin();
    TableRoots roots = createRoots(coordinator, schema);
    coordinator.context().changes().end();
    if (roots == null) {
      throw outOfMemory("table " + schema.name());
    }
    return open(schema, roots, List.of(), List.of());
  }

  private TableRoots createRoots(Coordinator coordinator, TableSchema schema) {
    Channel channel = coordinator.channel();
    PoolAllocator allocator = coordinator.allocator();
    long hash = PoolAddress.NULL;
    if (schema.hashed()) {
      hash = orAfterRefresh(() -> HashIndex.create(channel, allocator));
      if (hash == PoolAddress.NULL) {
        return null;
      }
    }
    long primary = PoolAddress.NULL;
    if (schema.ordered()) {
      primary = orAfterRefresh(() -> OrderedIndex.create(channel, allocator));
      if (primary == PoolAddress.NULL) {
        dropHash(channel, allocator, hash);
        return null;
      }
    }
    return new TableRoots(hash, primary);
  }

  private void dropHash(Channel channel, PoolAllocator allocator, long root) {
    if (root != PoolAddress.NULL) {
      new HashIndex(engine.environment(), root, engine.clock()::read, engine.node().number())
          .drop(channel, allocator);
    }
  }

  /** A failed creation is retried with a fresh horizon, since memory may wait for nothing else. */
  private long orAfterRefresh(LongSupplier creation) {
    long root = creation.getAsLong();
    if (root == PoolAddress.NULL) {
      engine.memory().refreshHorizon();
      root = creation.getAsLong();
    }
    return root;
  }

  /** Opens a table that is in the pool. */
  public TableStore open(
      TableSchema schema, TableRoots roots, List<IndexSchema> indexes, List<Long> indexRoots) {
    return new TableStore(
        engine.environment(),
        engine.clock()::read,
        engine.node().number(),
        schema,
        roots,
        indexes,
        indexRoots);
  }

  /**
   * Creates an empty secondary index. The caller fills it and adds it to the table, under the
   * schema lock.
   *
   * @throws NelumboException POOL_FULL (53200) if there is no memory for it
   */
  public IndexStore createIndex(Coordinator coordinator, TableStore table, IndexSchema schema) {
    coordinator.context().changes().begin();
    long root =
        orAfterRefresh(() -> OrderedIndex.create(coordinator.channel(), coordinator.allocator()));
    coordinator.context().changes().end();
    if (root == PoolAddress.NULL) {
      throw outOfMemory("index " + schema.name());
    }
    return table.newIndex(engine.environment(), schema, root);
  }

  /**
   * Adds the entries of all rows to a new index. No transaction may use the table meanwhile.
   *
   * @throws NelumboException 23505 if the index is unique and two rows have one value, 53200 if the
   *     pool is full; the index then has to be dropped
   */
  public void fillIndex(Coordinator coordinator, IndexStore index) {
    IndexFiller.fill(coordinator, index);
  }

  /**
   * Frees the memory of a table's rows and indexes. No transaction uses the table, now or later.
   */
  public void drop(Coordinator coordinator, TableStore table) {
    leave(table);
    coordinator.context().changes().begin();
    new TableEraser(coordinator).erase(table);
    giveBack(coordinator);
    coordinator.context().changes().end();
  }

  /**
   * Frees the memory of a secondary index that is not, or no longer, part of its table. No
   * transaction uses it, now or later.
   */
  public void dropIndex(Coordinator coordinator, IndexStore index) {
    leave(index);
    coordinator.context().changes().begin();
    new TableEraser(coordinator).erase(index);
    giveBack(coordinator);
    coordinator.context().changes().end();
  }

  /**
   * Makes sure that no thread of this compute node, collectors included, touches the memory of a
   * table, which is about to be freed, here or by another compute node.
   */
  public void leave(TableStore table) {
    table.markDropped();
    coordinators.awaitCollectors(table);
  }

  /** Does the same as {@link #leave(TableStore)} for a secondary index. */
  public void leave(IndexStore index) {
    index.markDropped();
    coordinators.awaitCollectors(index.table());
  }

  private void giveBack(Coordinator coordinator) {
    engine.memory().refreshHorizon();
    coordinator.allocator().releaseFree();
  }

  private NelumboException outOfMemory(String what) {
    return new NelumboException(
        ErrorCode.POOL_FULL, engine.memory().describeFull() + "; there was no room for " + what);
  }
}
