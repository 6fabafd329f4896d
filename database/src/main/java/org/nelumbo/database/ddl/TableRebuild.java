package org.nelumbo.database.ddl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * Replaces the store of a table by one of another form. The rows are copied (or not, for TRUNCATE)
 * under the exclusive metadata lock; what fails on the way leaves the table as it was.
 *
 * <p>The new store has an id of its own, which is part of its rows' LOTUS keys. So the caches of a
 * compute node cannot mix up the rows of two stores: neither those of the old one with those of the
 * new one, nor those of one that was given up.
 */
final class TableRebuild {
  private final Catalog catalog;
  private final StoreBuilder stores;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final MaintenanceQueries maintenanceQueries;

  /** Whether copies are put off; guarded by the catalogue's change lock, as what follows. */
  private boolean defers;

  /** Forms that a table has got without its rows having been copied; null if there are none. */
  private Deferred deferred;

  /**
   * Copies that are to be one.
   *
   * @param base the table as its rows are
   * @param sources of each column of its present form the ordinal there, -1 for a new column
   */
  private record Deferred(TableEntry base, int[] sources) {
    Deferred then(int[] next) {
      return new Deferred(base, Arrays.stream(next).map(i -> i < 0 ? -1 : sources[i]).toArray());
    }
  }

  TableRebuild(
      Catalog catalog,
      StoreBuilder stores,
      ExclusiveMetadataLocks exclusiveMetadataLocks,
      MaintenanceQueries maintenanceQueries) {
    this.catalog = catalog;
    this.stores = stores;
    this.exclusiveMetadataLocks = exclusiveMetadataLocks;
    this.maintenanceQueries = maintenanceQueries;
  }

  /** The table in another form, with its rows. */
  void copy(TableEntry table, ColumnMapping columnMapping, long timeoutNanos) {
    checkReferences(table, columnMapping.sources());
    TableDefinition form = columnMapping.definition();
    if (defers) {
      deferred =
          deferred == null
              ? new Deferred(table, columnMapping.sources())
              : deferred.then(columnMapping.sources());
      catalog.replaceTable(table, form, table.store());
      return;
    }
    replace(
        table,
        form,
        store -> maintenanceQueries.copy(catalog.draft(), table, columnMapping, store),
        timeoutNanos);
  }

  /**
   * Puts copies off, or no longer: then the rows are copied that are not yet in the form that their
   * table has got. For changes that are published together.
   */
  void setDeferring(boolean on, long timeoutNanos) {
    defers = on;
    Deferred due = deferred;
    if (!on && due != null) {
      deferred = null;
      TableEntry present = catalog.draft().table(due.base.id());
      ColumnMapping columnMapping = new ColumnMapping(present.definition(), due.sources);
      replace(
          present,
          present.definition(),
          store -> maintenanceQueries.copy(catalog.draft(), due.base, columnMapping, store),
          timeoutNanos);
    }
  }

  /** Forgets copies that have been put off: the changes come to nothing. */
  void discardDeferred() {
    defers = false;
    deferred = null;
  }

  /**
   * Tables in their forms, without rows. All are locked before the first is changed: no row can
   * refer to one that is gone.
   *
   * @param emptied told of each table while it is locked
   */
  void empty(List<TableEntry> tables, Consumer<TableEntry> emptied, long timeoutNanos) {
    List<TableStore> stale = tables.stream().map(TableEntry::store).toList();
    List<TableStore> replaced = new ArrayList<>();
    try {
      exclusiveMetadataLocks.runExclusively(
          tables,
          timeoutNanos,
          () -> {
            for (TableEntry table : tables) {
              replaceLocked(table, table.definition(), store -> {});
              replaced.add(stale.get(replaced.size()));
              emptied.accept(table);
            }
          });
    } finally {
      replaced.forEach(stores::drop);
    }
  }

  /** Fills a new store. */
  @FunctionalInterface
  private interface Filling {
    void fill(TableStore store);
  }

  private void replace(
      TableEntry table, TableDefinition definition, Filling filling, long timeoutNanos) {
    TableStore old = table.store();
    exclusiveMetadataLocks.runExclusively(
        table,
        timeoutNanos,
        () -> {
          replaceLocked(table, definition, filling);
          catalog.whenPublished(() -> stores.drop(old));
        });
  }

  private void replaceLocked(TableEntry table, TableDefinition definition, Filling filling) {
    TableDefinition successor = definition.withStoreId(catalog.newId());
    TableStore store = stores.createSuccessor(successor);
    boolean replaced = false;
    try {
      filling.fill(store);
      catalog.replaceTable(table, successor.withRoots(store), store);
      catalog.whenDiscarded(() -> stores.drop(store));
      replaced = true;
    } finally {
      if (!replaced) {
        stores.drop(store);
      }
    }
  }

  /** Foreign keys of other tables name columns by their position, which must stay. */
  private void checkReferences(TableEntry table, int[] sources) {
    for (TableEntry child : catalog.draft().tables()) {
      for (ForeignKeyDefinition key : child.definition().foreignKeys()) {
        boolean refers = key.referencedTable() == table.id() && child.id() != table.id();
        if (refers && moves(key.referencedColumns(), sources)) {
          throw new NelumboException(
              ErrorCode.OBJECT_IN_USE,
              "foreign key "
                  + key.name()
                  + " of "
                  + child
                  + " refers to columns that would move; drop it first");
        }
      }
    }
  }

  private static boolean moves(int[] columns, int[] sources) {
    return Arrays.stream(columns).anyMatch(c -> c >= sources.length || sources[c] != c);
  }
}
