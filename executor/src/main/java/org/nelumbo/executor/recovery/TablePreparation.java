package org.nelumbo.executor.recovery;

import java.util.Map;
import org.nelumbo.executor.table.TableStore;

/** What is done to the tables of a pool when a compute node opens it, before they are used. */
public interface TablePreparation {
  /** Prepares the catalogue's own table, which is going to be read at once. */
  void recoverCatalogue(TableStore table);

  /** Prepares a table that the catalogue names; what is wrong with it is noted. */
  void tryRecover(TableStore table);

  /** Tables that cannot be trusted, and why; after all have been prepared. */
  Map<TableStore, String> damage();
}
