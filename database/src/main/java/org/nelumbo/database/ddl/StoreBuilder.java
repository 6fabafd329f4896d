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
 * Makes, fills and drops tables and indexes in the pool. One schema change at a time uses it, but
 * for {@link #eraseDropped}: memory of what was dropped is freed when the change is done, and other
 * changes go on meanwhile.
 */
public final class StoreBuilder implements AutoCloseable {
  /** Room for the hash segment of a table, and for the roots of some dozens of indexes. */
  private static final int RESERVE_BLOCK_BYTES = 8 << 10;

  private static final int RESERVE_BLOCKS = 8;

  private final Engine engine;
  private final CancellationToken stop;
  private final Coordinator reserveOwner;
  private final MemoryReserve reserve;

  /** Guards the reserve. */
  private final ReentrantLock reserveLock = new ReentrantLock();

  /** One thread frees memory at a time, and none when the pool is closed. */
  private final ReentrantLock eraseLock = new ReentrantLock();

  private final Queue<Consumer<Coordinator>> dropped = new ConcurrentLinkedQueue<>();
  private boolean closed;

  /**
   * A builder of stores.
   *
   * @param stop set when the change in progress is to stop
   */
  public StoreBuilder(Engine engine, CancellationToken stop) {
    this.engine = engine;
    this.stop = stop;
    this.reserveOwner = engine.openCoordinator();
    this.reserve = new MemoryReserve(reserveOwner, RESERVE_BLOCK_BYTES, RESERVE_BLOCKS);
    reserve.fill();
  }

  /** An empty table with its indexes; 53200 if there is no room for it. */
  TableStore create(TableDefinition definition) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      return create(coordinator, definition);
    }
  }

  /** An empty table that takes the place of another; there is room for it even in a full pool. */
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
   * An index over the rows there are; its metadata lock is held. 23505 if it is unique and they are
   * not, 53200 if there is no room for it.
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

  /** Nobody uses the table any more: {@link #eraseDropped} gives its memory back. */
  void drop(TableStore table) {
    dropped.add(coordinator -> engine.tables().drop(coordinator, table));
  }

  /** Nobody uses the index any more: {@link #eraseDropped} gives its memory back. */
  void drop(IndexStore index) {
    dropped.add(coordinator -> engine.tables().dropIndex(coordinator, index));
  }

  /**
   * Gives back the memory of what has been dropped so far, by this thread's schema change or
   * another's. The schema lock is not needed. The schema has been changed by then, whatever comes
   * of this: memory that is not given back is found by whoever attaches to the pool next.
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

  /** Leaves the memory of what has been dropped so far to whoever attaches alone. */
  void leaveDropped() {
    if (!dropped.isEmpty()) {
      engine.markUnclean();
      dropped.clear();
    }
  }

  /** Held while memory is being freed. */
  ReentrantLock eraseLock() {
    return eraseLock;
  }

  /** Lets go of the pool's memory without touching it. */
  void abandon() {
    eraseLock.lock();
    try {
      closed = true;
      reserveOwner.abandon();
    } finally {
      eraseLock.unlock();
    }
  }

  /** Waits for memory that is being freed; the pool may be closed then. */
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
