package org.nelumbo.planner.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.nelumbo.dm.redo.DatabaseFiles;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;
import org.nelumbo.planner.ddl.StoreBuilder;

/**
 * Makes a database in an empty pool from its files, then has its commits recorded.
 *
 * <p>Rows of stores that no table has are left out: of tables that were dropped, and of changes of
 * tables that came to nothing. Their numbers are not given again.
 */
public final class ColdStart {
  private final Engine engine;
  private final DatabaseFiles files;
  private final int threads;

  /** Stores by their numbers. */
  private final Map<Integer, TableStore> stores = new HashMap<>();

  /** Largest number of a store that has rows in the files. */
  private int lastStore;

  /**
   * The start of a database.
   *
   * @param engine started, on a pool without anything in it
   * @param threads that load rows
   */
  public ColdStart(Engine engine, DatabaseFiles files, int threads) {
    this.engine = engine;
    this.files = files;
    this.threads = threads;
  }

  /** Starts it; returns its catalogue. */
  public Catalog run() {
    engine.clock().raiseTo(files.lastTimestamp());
    CatalogImage image = new CatalogImage();
    readCatalogue(image);
    Catalog catalog = image.isEmpty() ? null : load(image);
    files.start(engine.clock()::now, engine::stop);
    return catalog == null ? Catalog.create(engine) : catalog;
  }

  /** Reads the rows of the catalogue. */
  private void readCatalogue(CatalogImage image) {
    try {
      files.forEachRow(
          (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
            lastStore = Math.max(lastStore, store);
            if (store != CatalogImage.STORE) {
              return;
            }
            if (isDeleted) {
              image.remove(bytes, offset, keyLength);
            } else {
              image.put(bytes, offset, keyLength, imageLength);
            }
          });
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** An id that no store has had. */
  private int nextId() {
    return lastStore + 1;
  }

  private NelumboException unreadable(IOException e) {
    return new NelumboException(
        ErrorCode.IO_ERROR, "the database in " + files.place() + " cannot be read: " + e, e);
  }

  private Catalog load(CatalogImage image) {
    List<TableDefinition> tables = image.tables();
    try (Coordinator coordinator = engine.openCoordinator()) {
      for (TableDefinition table : tables) {
        TableDefinition bare = table.withIndexes(List.of());
        stores.put(table.storeId(), engine.tables().create(coordinator, bare.toSchema()));
      }
    }
    inThreads("nelumbo-load", this::loadRows);
    Map<Integer, TableDefinition> placed = new HashMap<>();
    List<IndexStore> indexes = new ArrayList<>();
    for (TableDefinition table : tables) {
      placed.put(table.id(), withIndexes(table, indexes));
    }
    fill(indexes);
    return image.restore(engine, placed, nextId());
  }

  /** Work of a thread that has a number. */
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
    all.forEach(ColdStart::join);
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

  private void loadRows(int thread) {
    try (RowLoader loader = new RowLoader(engine, stores, thread, threads)) {
      files.forEachRow(loader);
      loader.flush();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Makes the indexes of a table, without entries. */
  private TableDefinition withIndexes(TableDefinition table, List<IndexStore> indexes) {
    TableStore store = stores.get(table.storeId());
    try (Coordinator coordinator = engine.openCoordinator()) {
      for (IndexDefinition definition : table.indexes()) {
        IndexSchema schema = definition.schema();
        IndexStore index = engine.tables().createIndex(coordinator, store, schema);
        store.addIndex(index);
        indexes.add(index);
      }
    }
    return StoreBuilder.withRoots(table, store);
  }

  private void fill(List<IndexStore> indexes) {
    AtomicInteger next = new AtomicInteger();
    inThreads(
        "nelumbo-index",
        thread -> {
          try (Coordinator coordinator = engine.openCoordinator()) {
            for (int i; (i = next.getAndIncrement()) < indexes.size(); ) {
              engine.tables().fillIndex(coordinator, indexes.get(i));
            }
          }
        });
  }
}
