package org.nelumbo.executor.cluster;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.nelumbo.executor.table.TableStore;

/** The tables of a shared pool, for who recovers what a dead compute node has left in them. */
public interface SharedTables {
  /** The tables by which the others are found. */
  List<TableStore> catalogue();

  /**
   * Does something with all tables, none of which gives back its memory meanwhile.
   *
   * @param schemaVersion which the dead one may have known
   * @return whether it was done; if not, that version is not known here yet
   */
  boolean use(long schemaVersion, Consumer<List<TableStore>> work);

  /** What is known of them before the catalogue was read. */
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

  /** Tables of a pool whose schema never changes. */
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
