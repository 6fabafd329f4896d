package org.nelumbo.database.ddl;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.MemoryReserve;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/**
 * Creates, fills and drops tables and indexes in the pool. One schema change at a time uses it,
 * except for {@link #eraseDropped}: the memory of dropped objects is freed after the change,
 * concurrently with other changes.
 */
public final class StoreBuilder implements AutoCloseable {
  /**
   * Size of a block for the hash segment of a table, and for the roots of some dozens of indexes.
   */
  private static final int RESERVE_BLOCK_BYTES = 8 << 10;

  private static final int RESERVE_BLOCKS = 8;

  private final Engine engine;
  private final CancellationToken stop;
  private final Coordinator reserveOwner;
  private final MemoryReserve reserve;

  private final ReentrantLock reserveLock = new ReentrantLock();

  /** Held by the thread that frees memory; excludes closing the pool. */
  private final ReentrantLock eraseLock = new ReentrantLock();

  private final Queue<Consumer<Coordinator>> dropped = new ConcurrentLinkedQueue<>();
  private boolean closed;

  /**
   * Creates a builder of stores.
   *
   * @param stop set to stop the change in progress
   */
  public StoreBuilder(Engine engine, CancellationToken stop) {
    this.engine = engine;
    this.stop = stop;
    this.reserveOwner = engine.openCoordinator();
    this.reserve = new MemoryReserve(reserveOwner, RESERVE_BLOCK_BYTES, RESERVE_BLOCKS);
    reserve.fill();
  }

  /** Creates an empty table with its indexes; throws 53200 if the pool is full. */
  TableStore create(TableDefinition definition) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      return create(coordinator, definition);
    }
  }

  /**
   * Creates an empty table that replaces another; succeeds even in a full pool, thanks to the
   * reserve.
   */
  TableStore createSuccessor(TableDefinition definition) {
    try {
      return create(definition);
    } catch (NelumboException e) {
      if (e.code() != ErrorCode.POOL_FULL) {
        throw e;
      }
      return createFromReserve(definition, e);
    }
  }

  private TableStore createFromReserve(TableDefinition definition, NelumboException exhausted) {
    reserveLock.lock();
    try {
      if (!reserve.release()) {
        throw exhausted;
      }
      return create(reserveOwner, definition);
    } finally {
      reserveLock.unlock();
    }
  }

  private TableStore create(Coordinator coordinator, TableDefinition definition) {
    TableStore store = engine.tables().create(coordinator, definition.toSchema());
    boolean complete = false;
    try {
      for (IndexDefinition index : definition.indexes()) {
        store.addIndex(engine.tables().createIndex(coordinator, store, index.schema()));
      }
      complete = true;
    } finally {
      if (!complete) {
        engine.tables().drop(coordinator, store);
      }
    }
    return store;
  }

  /**
   * Creates an index over the existing rows; the caller holds the metadata lock. Throws 23505 if
   * the index is unique and two rows have equal keys, 53200 if the pool is full.
   */
  IndexStore createIndex(TableStore table, IndexSchema index) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      coordinator.transaction().cancellation().follow(stop);
      IndexStore store = engine.tables().createIndex(coordinator, table, index);
      boolean filled = false;
      try {
        engine.tables().fillIndex(coordinator, store);
        filled = true;
      } finally {
        if (!filled) {
          engine.tables().dropIndex(coordinator, store);
        }
      }
      return store;
    }
  }

  /** Marks an unused table as dropped; {@link #eraseDropped} frees its memory. */
  void drop(TableStore table) {
    dropped.add(coordinator -> engine.tables().drop(coordinator, table));
  }

  /** Marks an unused index as dropped; {@link #eraseDropped} frees its memory. */
  void drop(IndexStore index) {
    dropped.add(coordinator -> engine.tables().dropIndex(coordinator, index));
  }

  /**
   * Frees the memory of the objects dropped so far, by the schema change of this thread or
   * another's. The schema lock is not needed. The schema has been changed already, so a failure
   * does not affect it: the next attach finds memory that was not freed.
   */
  void eraseDropped() {
    if (dropped.isEmpty()) {
      return;
    }
    try {
      erase();
    } catch (RuntimeException | Error e) {
      engine.leave("memory of dropped tables and indexes", e);
    }
  }

  private void erase() {
    eraseLock.lock();
    try {
      if (closed) {
        return;
      }
      try (Coordinator coordinator = engine.openCoordinator()) {
        for (Consumer<Coordinator> next; (next = dropped.poll()) != null; ) {
          next.accept(coordinator);
        }
      }
      reserveLock.lock();
      try {
        reserve.fill();
      } finally {
        reserveLock.unlock();
      }
    } finally {
      eraseLock.unlock();
    }
  }

  /**
   * Leaves the memory of the objects dropped so far to the next attach that has the pool
   * exclusively.
   */
  void leaveDropped() {
    if (!dropped.isEmpty()) {
      engine.markUnclean();
      dropped.clear();
    }
  }

  /** Returns the lock that is held while memory is being freed. */
  ReentrantLock eraseLock() {
    return eraseLock;
  }

  /** Releases the resources without touching the pool's memory. */
  void abandon() {
    eraseLock.lock();
    try {
      closed = true;
      reserveOwner.abandon();
    } finally {
      eraseLock.unlock();
    }
  }

  /** Waits for memory that is being freed, and closes the builder; then the pool may be closed. */
  @Override
  public void close() {
    eraseLock.lock();
    try (reserveOwner) {
      closed = true;
      if (!dropped.isEmpty()) {
        engine.markUnclean();
      }
      reserve.release();
    } finally {
      eraseLock.unlock();
    }
  }
}
