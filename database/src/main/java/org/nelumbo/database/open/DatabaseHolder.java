package org.nelumbo.database.open;

import java.util.function.Supplier;
import org.nelumbo.database.DatabaseStatistics;

/**
 * Holder of a database that may be closed and opened again: the current database and its
 * statistics. It outlives the databases, but keeps no reference to a closed one. Thread-safe.
 */
public final class DatabaseHolder implements Supplier<DatabaseStatistics> {
  private volatile LocalDatabase present;

  /**
   * A database whose engine has stopped, so that its pool must be recovered; null if there is none.
   */
  private volatile LocalDatabase stopped;

  private volatile DatabaseStatistics last;

  /** Creates a holder without a database. */
  public DatabaseHolder() {}

  /** Creates a holder for a database that is never opened again. */
  DatabaseHolder(LocalDatabase only) {
    present = only;
  }

  /** Returns the open database, or null if none is open. */
  public LocalDatabase database() {
    return present;
  }

  /**
   * Returns the latest database if its engine has stopped and its pool is in the memory of this
   * process, so that {@link LocalDatabase#recover} can open the pool again; null otherwise.
   */
  public LocalDatabase stopped() {
    return stopped;
  }

  /** Returns the statistics of the latest database; its final statistics if it is closed. */
  @Override
  public DatabaseStatistics get() {
    LocalDatabase database = present;
    return database == null ? last : database.statistics();
  }

  /** Stores a database that was opened. */
  public void open(LocalDatabase next) {
    next.moveTo(this);
    present = next;
    stopped = null;
  }

  /** Records that the database has been closed. */
  void closed(LocalDatabase database) {
    if (present == database) {
      last = database.statistics();
      stopped = database.isRecoverable() ? database : null;
      present = null;
    }
  }
}
