package org.nelumbo.database.durable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.database.check.Finding;
import org.nelumbo.database.check.Findings;
import org.nelumbo.dm.redo.backup.SoundRows;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.ForeignKeyDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.Isolation;

/**
 * Restores the intact parts of damaged files in an empty database: all readable rows of tables with
 * readable definitions. It omits and reports objects that this makes invalid: foreign keys to lost
 * tables, and unique indexes with duplicate values. Like any restore it is atomic. Used once.
 */
final class Salvage {
  private static final int THREADS = 4;

  private final Engine engine;
  private final Catalog catalog;
  private final CancellationToken stop;
  private final SoundRows rows;
  private final Findings findings;

  /**
   * Creates a salvage within a schema change.
   *
   * @param catalog catalog without tables; the caller holds its change lock
   * @param stop set to stop the salvage
   * @param findings receives the defect reports
   */
  Salvage(
      Engine engine, Catalog catalog, CancellationToken stop, SoundRows rows, Findings findings) {
    this.engine = engine;
    this.catalog = catalog;
    this.stop = stop;
    this.rows = rows;
    this.findings = findings;
  }

  /**
   * Runs the salvage.
   *
   * @throws IOException if the files cannot be read
   */
  void run() throws IOException {
    findings.clear();
    rows.damage().forEach(line -> findings.add(Finding.of(line)));
    CatalogImage image = CatalogImage.of(rows);
    for (String schema : image.addLostSchemas()) {
      findings.add(new Finding(schema, null, null, null, "schema " + schema + " is created again"));
    }
    catalog.skipIds(image.nextId());
    Map<Integer, TableDefinition> tables = tables(image.tables());
    nameStrangers(tables.keySet());
    Map<Integer, TableDefinition> placed = load(image, tables);
    for (int id : placed.keySet()) {
      raiseNumbers(catalog.state().table(id));
    }
  }

  private void add(TableDefinition table, String object, String problem) {
    findings.add(new Finding(table.schema(), table.name(), object, null, problem));
  }

  /**
   * Returns the tables by store number, with new store numbers and without references to lost
   * tables.
   */
  private Map<Integer, TableDefinition> tables(List<TableDefinition> found) {
    Set<Integer> ids = new HashSet<>();
    found.forEach(table -> ids.add(table.id()));
    Map<Integer, TableDefinition> tables = new LinkedHashMap<>();
    for (TableDefinition table : found) {
      List<ForeignKeyDefinition> keys = new ArrayList<>(table.foreignKeys());
      keys.removeIf(key -> ids.contains(key.referencedTable()));
      for (ForeignKeyDefinition key : keys) {
        add(table, key.name(), "the foreign key is left out: the table that it refers to is lost");
      }
      List<ForeignKeyDefinition> left = new ArrayList<>(table.foreignKeys());
      left.removeAll(keys);
      tables.put(table.storeId(), table.withForeignKeys(left).withStoreId(catalog.newId()));
    }
    return tables;
  }

  /** Reports rows that belong to no table, if the damage of the files may be the reason. */
  private void nameStrangers(Set<Integer> stores) throws IOException {
    if (rows.damage().isEmpty()) {
      return;
    }
    Map<Integer, Long> strangers = new TreeMap<>();
    rows.forEachRow(
        (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
          if (store != CatalogImage.STORE && !stores.contains(store)) {
            strangers.merge(store, 1L, Long::sum);
          }
        });
    strangers.forEach(
        (store, count) ->
            findings.add(
                Finding.of(
                    "rows of a table are left out that was dropped, or whose definition is"
                        + " lost rows="
                        + count
                        + " store="
                        + store)));
  }

  private Map<Integer, TableDefinition> load(
      CatalogImage image, Map<Integer, TableDefinition> tables) throws IOException {
    Set<IndexStore> duplicates = ConcurrentHashMap.newKeySet();
    StoreLoader loader = new StoreLoader(engine, rows, THREADS, stop, duplicates::add);
    boolean isLoaded = false;
    try {
      Map<Integer, TableDefinition> placed = loader.load(tables);
      isLoaded = true;
      duplicates.forEach(index -> leaveOut(index, placed));
      catalog.restore(image, placed);
      return placed;
    } finally {
      if (!isLoaded) {
        loader.discard();
      }
    }
  }

  private void leaveOut(IndexStore index, Map<Integer, TableDefinition> placed) {
    TableDefinition owner = null;
    for (TableDefinition table : placed.values()) {
      owner = table.storeId() == index.table().id() ? table : owner;
    }
    int ownerId = owner.id();
    add(
        owner,
        index.schema().name(),
        "the unique index is left out: two rows have the same value; the change or"
            + " deletion of one of them is lost");
    placed.replaceAll(
        (id, table) -> {
          List<ForeignKeyDefinition> keys = new ArrayList<>(table.foreignKeys());
          for (ForeignKeyDefinition key : table.foreignKeys()) {
            boolean needsIt =
                key.referencedTable() == ownerId
                    && isSameSet(key.referencedColumns(), index.schema().columns());
            if (needsIt) {
              keys.remove(key);
              add(table, key.name(), "the foreign key is left out: it needs a unique index");
            }
          }
          return table.withForeignKeys(keys);
        });
  }

  private static boolean isSameSet(int[] some, int[] others) {
    return Arrays.equals(
        Arrays.stream(some).sorted().toArray(), Arrays.stream(others).sorted().toArray());
  }

  /**
   * Raises the sequences of numbered columns above the values in the rows, because the latest
   * sequence values may be lost.
   */
  private void raiseNumbers(TableEntry table) {
    for (int column : table.definition().numberedColumns()) {
      IdentityDefinition identity = table.definition().identity(column);
      boolean rises = identity == null || identity.increment() > 0;
      Long last = last(table, column, rises);
      boolean isBehind = last != null && isBehind(table.sequence(column).next(), last, rises);
      if (isBehind) {
        table.sequence(column).set(last, true);
      }
    }
  }

  private static boolean isBehind(long next, long last, boolean rises) {
    return rises ? next <= last : next >= last;
  }

  private Long last(TableEntry table, int column, boolean rises) {
    RowLayout layout = table.store().layout();
    RowBuffer row = new RowBuffer();
    Long last = null;
    try (Coordinator coordinator = engine.openCoordinator()) {
      Transaction transaction = coordinator.transaction();
      transaction.cancellation().follow(stop);
      transaction.begin(Isolation.SNAPSHOT, true);
      TableScan scan = transaction.newTableScan();
      Outcome status = scan.open(table.store(), LockMode.READ);
      while (status == Outcome.OK && (status = scan.next(row)) == Outcome.OK) {
        long value = layout.getLong(row.bytes, row.offset, column);
        last = last == null || isBehind(last, value, rises) ? Long.valueOf(value) : last;
      }
      scan.close();
      if (status != Outcome.NOT_FOUND) {
        throw transaction.failure(status);
      }
    }
    return last;
  }
}
