package org.nelumbo.planner;

import org.nelumbo.planner.catalog.CatalogReader;
import org.nelumbo.planner.session.LocalDatabase;

/** An opened pool with its catalogue and plan cache. Thread-safe. */
public interface Database extends AutoCloseable {
  /** Opens a new, empty pool in this process's memory. 0A000 for a protocol there is not. */
  static Database openMemory(DatabaseOptions options) {
    return LocalDatabase.openMemory(options);
  }

  DatabaseOptions options();

  /**
   * A new session; to be closed. 08003 if the database is closed, 3F000 if there is no such schema.
   */
  Session connect(SessionOptions options);

  /** The catalogue as it is now. */
  CatalogReader catalog();

  boolean isOpen();

  /**
   * Shuts down: stops all statements in progress, rolls back and closes all sessions, gives the
   * pool's memory back. What was in a pool in memory is gone.
   */
  @Override
  void close();
}
