package org.nelumbo.database.durable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.RowSource;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;

/**
 * Loads a database from its files into an empty pool, then starts to record its commits.
 *
 * <p>Rows of stores that belong to no table are skipped: of dropped tables, and of changes of
 * tables that failed. The numbers of such stores are not reused.
 */
public final class ColdStart {
  private static final int REPORTED_ROWS = 1024;
  private static final long PERCENT = 100;

  private final DatabaseFiles files;
  private final int threads;
  private final CatalogImage image = new CatalogImage();

  private int lastStore;

  /** Number of row images in the files, including older versions. */
  private long rows;

  private final AtomicLong told = new AtomicLong();

  /** Receives the progress, from any thread. */
  private final Consumer<AttachProgress.State> listener;

  /**
   * Creates a cold start without progress reports to a listener.
   *
   * @param threads number of threads that load rows
   */
  public ColdStart(DatabaseFiles files, int threads) {
    this(files, threads, progress -> {});
  }

  /**
   * Creates a cold start whose progress is reported.
   *
   * @param threads number of threads that load rows
   * @param listener receives the progress, at most a hundred times, from any thread
   */
  public ColdStart(DatabaseFiles files, int threads, Consumer<AttachProgress.State> listener) {
    this.files = files;
    this.threads = threads;
    this.listener = listener;
  }

  /**
   * Loads the database; returns its catalog.
   *
   * @param engine started engine on an empty pool
   */
  public Catalog run(Engine engine) {
    read();
    Catalog catalog = image.isEmpty() ? null : load(engine);
    engine.clock().raiseTo(files.lastTimestamp());
    files.start(engine.clock()::now, engine::stop);
    return catalog == null ? Catalog.create(engine) : catalog;
  }

  /** Reads the rows of the catalog; returns true if there are any. */
  public boolean read() {
    AttachProgress.report(AttachProgress.Phase.LOADING, 0);
    listener.accept(new AttachProgress.State(AttachProgress.Phase.LOADING, 0, 0));
    try {
      files.forEachRow(
          (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
            lastStore = Math.max(lastStore, store);
            rows++;
            image.row(store, bytes, offset, keyLength, imageLength, isDeleted);
          });
    } catch (IOException e) {
      throw unreadable(e);
    }
    return !image.isEmpty();
  }

  /** Returns the largest number of a store with rows in the files. */
  public int lastStore() {
    return lastStore;
  }

  private int nextId() {
    return lastStore + 1;
  }

  private RowSource reporting() {
    AttachProgress progress = AttachProgress.current();
    report(progress, 0);
    AtomicLong seen = new AtomicLong();
    return visitor -> {
      RowVisitor counting =
          new RowVisitor() {
            private int count;

            @Override
            public void row(
                int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean gone) {
              visitor.row(store, bytes, offset, keyLength, imageLength, gone);
              if (++count == REPORTED_ROWS) {
                count = 0;
                report(progress, seen.addAndGet(REPORTED_ROWS) / threads);
              }
            }
          };
      files.forEachRow(counting);
    };
  }

  private void report(AttachProgress progressOrNull, long done) {
    if (progressOrNull != null) {
      progressOrNull.report(AttachProgress.Phase.LOADING, done, rows);
    }
    long percent = rows == 0 ? 0 : PERCENT * done / rows;
    long before = told.get();
    if (percent > before && told.compareAndSet(before, percent)) {
      listener.accept(new AttachProgress.State(AttachProgress.Phase.LOADING, done, rows));
    }
  }

  private NelumboException unreadable(IOException e) {
    return new NelumboException(
        ErrorCode.IO_ERROR, "the database in " + files.location() + " cannot be read: " + e, e);
  }

  /**
   * Creates the tables and the catalog from the rows that were read.
   *
   * @param engine started engine on an empty pool
   */
  public Catalog load(Engine engine) {
    engine.clock().raiseTo(files.lastTimestamp());
    Map<Integer, TableDefinition> tables = new LinkedHashMap<>();
    image.tables().forEach(table -> tables.put(table.storeId(), table));
    CancellationToken never = new CancellationToken(engine.environment());
    try {
      StoreLoader loader = new StoreLoader(engine, reporting(), threads, never);
      return image.restore(engine, loader.load(tables), nextId());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }
}
