package org.nelumbo.database.open;

import java.util.function.Supplier;
import org.nelumbo.database.DatabaseStatistics;

/**
 * The holder of a database that may be opened again: which one it is now, and what it does. It
 * outlives them, but keeps none that is closed. Thread-safe.
 */
public final class DatabaseHolder implements Supplier<DatabaseStatistics> {
  private volatile LocalDatabase present;

  /** One whose engine has stopped, so that its pool has to be recovered; null if none has. */
  private volatile LocalDatabase stopped;

  /** Of the last one when it was closed. */
  private volatile DatabaseStatistics last;

  /** A place where no database has been opened yet. */
  public DatabaseHolder() {}

  /** The place of a database that nobody else opens. */
  DatabaseHolder(LocalDatabase only) {
    present = only;
  }

  /** The database that is open here; null if none is. */
  public LocalDatabase database() {
    return present;
  }

  /**
   * The database that was open here last, if its engine has stopped while its pool is in this
   * process's memory: {@link LocalDatabase#recover} opens that anew. Else null.
   */
  public LocalDatabase stopped() {
    return stopped;
  }

  /** Of the database that was opened here last, as it was in the end if that is closed. */
  @Override
  public DatabaseStatistics get() {
    LocalDatabase database = present;
    return database == null ? last : database.statistics();
  }

  /** Puts in a database that was opened. */
  public void open(LocalDatabase next) {
    next.moveTo(this);
    present = next;
    stopped = null;
  }

  /** Notes that the database has been closed. */
  void closed(LocalDatabase database) {
    if (present == database) {
      last = database.statistics();
      stopped = database.isRecoverable() ? database : null;
      present = null;
    }
  }
}
