package org.nelumbo.planner.session;

import java.util.function.Supplier;
import org.nelumbo.planner.Database;

/** Where databases are opened one after the other: which one it is now. Thread-safe. */
final class DatabasePlace implements Supplier<Database> {
  private volatile LocalDatabase present;

  DatabasePlace(LocalDatabase first) {
    present = first;
  }

  /** The last one that was opened; it may be closed. */
  @Override
  public Database get() {
    return present;
  }

  void moveIn(LocalDatabase next) {
    present = next;
  }
}
