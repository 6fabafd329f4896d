package org.nelumbo.planner.durable;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.nelumbo.dm.redo.DatabaseFiles;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;

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
    Map<Integer, TableDefinition> tables = new LinkedHashMap<>();
    image.tables().forEach(table -> tables.put(table.storeId(), table));
    CancellationToken never = new CancellationToken(engine.environment());
    try {
      StoreLoader loader = new StoreLoader(engine, files, threads, never);
      return image.restore(engine, loader.load(tables), nextId());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }
}
