package org.nelumbo.executor.recovery;

import java.util.Map;
import org.nelumbo.executor.table.TableStore;

/** Prepares the tables of a pool when a compute node opens it, before they are used. */
public interface TablePreparation {
  /** Prepares the catalogue's own table, which is read immediately afterwards. */
  void recoverCatalogue(TableStore table);

  /** Prepares a table that the catalogue names; records its damage, if any. */
  void tryRecover(TableStore table);

  /**
   * Returns the tables that cannot be trusted, with reasons. Called after all tables are prepared.
   */
  Map<TableStore, String> damage();
}
