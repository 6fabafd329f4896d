package org.nelumbo.database.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/**
 * Creates the stores of tables in a pool, fills them by threads with rows from another source, each
 * thread with a subset of the keys, and then builds the indexes. Rows of stores that belong to no
 * table are skipped.
 */
final class StoreLoader {
  private final Engine engine;
  private final RowSource source;
  private final int threads;
  private final CancellationToken stop;

  /** Receives unique indexes with duplicate values; null if duplicates are an error. */
  private final Consumer<IndexStore> duplicates;

  /** Stores by their numbers in the source. */
  private final Map<Integer, TableStore> stores = new HashMap<>();

  /**
   * Creates a loader of one pool.
   *
   * @param threads number of threads that load rows
   * @param stop set to stop loading
   */
  StoreLoader(Engine engine, RowSource source, int threads, CancellationToken stop) {
    this(engine, source, threads, stop, null);
  }

  /**
   * Creates a loader of rows that may be inconsistent.
   *
   * @param duplicates receives unique indexes with duplicate values, which are omitted; called from
   *     any thread
   */
  StoreLoader(
      Engine engine,
      RowSource source,
      int threads,
      CancellationToken stop,
      Consumer<IndexStore> duplicates) {
    this.engine = engine;
    this.source = source;
    this.threads = threads;
    this.stop = stop;
    this.duplicates = duplicates;
  }

  /**
   * Creates and fills stores.
   *
   * @param tables tables by the numbers of their stores in the source
   * @return the tables by id, with the roots of their stores
   * @throws IOException if the source cannot be read
   */
  Map<Integer, TableDefinition> load(Map<Integer, TableDefinition> tables) throws IOException {
    try (Coordinator coordinator = engine.openCoordinator()) {
      tables.forEach(
          (number, table) -> {
            TableDefinition bare = table.withIndexes(List.of());
            stores.put(number, engine.tables().create(coordinator, bare.toSchema()));
          });
    }
    AtomicReference<IOException> unread = new AtomicReference<>();
    inThreads("nelumbo-load", thread -> loadRows(thread, unread));
    if (unread.get() != null) {
      throw unread.get();
    }
    Map<Integer, TableDefinition> placed = new HashMap<>();
    List<IndexStore> indexes = new ArrayList<>();
    tables.forEach(
        (number, table) -> placed.put(table.id(), withIndexes(table, stores.get(number), indexes)));
    Set<IndexStore> left = fill(indexes);
    left.forEach(index -> leaveOut(index, placed));
    return placed;
  }

  /** Frees the memory of the created stores. */
  void discard() {
    try (Coordinator coordinator = engine.openCoordinator()) {
      stores.values().forEach(store -> engine.tables().drop(coordinator, store));
    }
  }

  /** The threads are numbered from 0. */
  private void inThreads(String name, IntConsumer work) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Runnable body =
          () -> {
            try {
              work.accept(number);
            } catch (RuntimeException | Error e) {
              failure.compareAndSet(null, e);
            }
          };
      all.add(engine.environment().thread(name + "-" + i, body));
    }
    all.forEach(Thread::start);
    all.forEach(StoreLoader::join);
    switch (failure.get()) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void loadRows(int thread, AtomicReference<IOException> unread) {
    try (RowLoader loader = new RowLoader(engine, stores, thread, threads, stop)) {
      source.forEachRow(loader);
      loader.flush();
    } catch (IOException e) {
      unread.compareAndSet(null, e);
    }
  }

  private TableDefinition withIndexes(
      TableDefinition table, TableStore store, List<IndexStore> indexes) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      for (IndexDefinition definition : table.indexes()) {
        IndexSchema schema = definition.schema();
        IndexStore index = engine.tables().createIndex(coordinator, store, schema);
        store.addIndex(index);
        indexes.add(index);
      }
    }
    return table.withRoots(store);
  }

  private void leaveOut(IndexStore index, Map<Integer, TableDefinition> placed) {
    TableStore store = index.table();
    store.removeIndex(index);
    placed.replaceAll(
        (id, table) ->
            table.storeId() != store.id()
                ? table
                : table.withIndexes(
                    table.indexes().stream()
                        .filter(each -> each.schema().id() != index.schema().id())
                        .toList()));
    try (Coordinator coordinator = engine.openCoordinator()) {
      engine.tables().dropIndex(coordinator, index);
    }
  }

  private Set<IndexStore> fill(List<IndexStore> indexes) {
    Set<IndexStore> left = ConcurrentHashMap.newKeySet();
    AtomicInteger next = new AtomicInteger();
    inThreads(
        "nelumbo-index",
        thread -> {
          try (Coordinator coordinator = engine.openCoordinator()) {
            coordinator.transaction().cancellation().follow(stop);
            for (int i; (i = next.getAndIncrement()) < indexes.size(); ) {
              if (!fill(coordinator, indexes.get(i))) {
                left.add(indexes.get(i));
              }
            }
          }
        });
    return left;
  }

  private boolean fill(Coordinator coordinator, IndexStore index) {
    try {
      engine.tables().fillIndex(coordinator, index);
      return true;
    } catch (NelumboException e) {
      if (duplicates == null || e.code() != ErrorCode.UNIQUE_VIOLATION) {
        throw e;
      }
      duplicates.accept(index);
      return false;
    }
  }
}
