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
 * Replaces the store of a table by a store of another form. The rows are copied (or not, for
 * TRUNCATE) under the exclusive metadata lock; a failure leaves the table unchanged.
 *
 * <p>The new store has a new id, which is part of its rows' LOTUS keys. Therefore the caches of a
 * compute node cannot confuse the rows of two stores: neither rows of the old store with rows of
 * the new one, nor rows of a store that was discarded after a failure.
 */
final class TableRebuild {
  private final Catalog catalog;
  private final StoreBuilder stores;
  private final ExclusiveMetadataLocks exclusiveMetadataLocks;
  private final MaintenanceQueries maintenanceQueries;

  /** True while copies are deferred; guarded, like the next field, by the catalog's change lock. */
  private boolean defers;

  /** Forms of a table for which the rows were not copied yet; null if there are none. */
  private Deferred deferred;

  /**
   * Deferred copies that are combined into one.
   *
   * @param base the table in the form of its rows
   * @param sources ordinal in the base for each column of the present form, -1 for a new column
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

  /** Changes the form of a table, and copies its rows. */
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
   * Starts to defer copies, or ends that and copies the rows to the present form of their table.
   * Used for changes that are published together.
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

  /** Discards deferred copies, because the changes are undone. */
  void discardDeferred() {
    defers = false;
    deferred = null;
  }

  /**
   * Replaces tables by empty ones of the same form. All tables are locked before the first one is
   * changed, so that no row can reference a removed row.
   *
   * @param emptied receives each table while it is locked
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
