package org.nelumbo.executor.cluster;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.nelumbo.executor.table.TableStore;

/** The tables of a shared pool, for the recovery of a failed compute node. */
public interface SharedTables {
  /** Returns the tables in which the other tables are found. */
  List<TableStore> catalogue();

  /**
   * Runs an action with all tables, none of which frees its memory meanwhile.
   *
   * @param schemaVersion version that the failed compute node may have used
   * @return false if that version is not known locally yet, so that the action has not run
   */
  boolean use(long schemaVersion, Consumer<List<TableStore>> work);

  /** Returns the tables known before the catalogue is read. */
  static SharedTables unread(TableStore catalogue) {
    return new SharedTables() {
      @Override
      public List<TableStore> catalogue() {
        return List.of(catalogue);
      }

      @Override
      public boolean use(long schemaVersion, Consumer<List<TableStore>> work) {
        return false;
      }
    };
  }

  /** Returns the tables of a pool whose schema never changes. */
  static SharedTables of(Supplier<List<TableStore>> tables) {
    return new SharedTables() {
      @Override
      public List<TableStore> catalogue() {
        return List.of();
      }

      @Override
      public boolean use(long schemaVersion, Consumer<List<TableStore>> work) {
        work.accept(tables.get());
        return true;
      }
    };
  }
}
