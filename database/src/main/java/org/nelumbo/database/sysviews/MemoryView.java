package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.add;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.optionalNumber;
import static org.nelumbo.database.sysviews.ViewColumns.optionalText;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.database.plancache.PlanInvalidator;
import org.nelumbo.dm.index.hash.HashStatistics;
import org.nelumbo.dm.index.tree.TreeStatistics;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.Catalog;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * SYS.MEMORY: bytes of the pool by table and index, and of the whole pool. It is computed under the
 * schema lock, so that no table is dropped meanwhile.
 */
final class MemoryView {
  private final Engine engine;
  private final Catalog catalog;
  private final PlanInvalidator planInvalidator;

  MemoryView(Engine engine, Catalog catalog, PlanInvalidator planInvalidator) {
    this.engine = engine;
    this.catalog = catalog;
    this.planInvalidator = planInvalidator;
  }

  void register() {
    add(
        catalog,
        "MEMORY",
        this::rows,
        text("KIND"),
        optionalText("SCHEMA_NAME"),
        optionalText("TABLE_NAME"),
        optionalText("INDEX_NAME"),
        optionalNumber("ENTRIES"),
        number("BYTES"));
  }

  private List<Object[]> rows() {
    lock();
    try (PoolInspector inspector = new PoolInspector(engine)) {
      List<Object[]> rows = new ArrayList<>();
      catalog.state().tables().stream()
          .filter(table -> table.damage() == null)
          .forEach(table -> addTable(rows, table, inspector));
      addPool(rows);
      return rows;
    } finally {
      catalog.changeLock().unlock();
    }
  }

  /**
   * Does not wait for a schema change, which may itself be waiting for the end of this transaction.
   * It does wait for a check of the plan invalidator, which is short.
   */
  private void lock() {
    for (int attempt = 0; ; attempt++) {
      long looks = planInvalidator.looks();
      if (catalog.changeLock().tryLock()) {
        return;
      }
      if (!planInvalidator.hasLookedSince(looks)) {
        throw new NelumboException(
            ErrorCode.LOCK_NOT_AVAILABLE, "a schema change is in progress; try again");
      }
      engine.environment().backoff(attempt);
    }
  }

  private static void addTable(List<Object[]> rows, TableEntry table, PoolInspector inspector) {
    TableStore store = table.store();
    HashStatistics hash = store.hash() == null ? null : inspector.hash(store);
    TreeStatistics tree = store.primary() == null ? null : inspector.tree(store.primary());
    long entries = hash == null ? tree.entries() : hash.entries();
    long bytes = Math.round(entries * inspector.bytesPerRow(store));
    rows.add(row("ROWS", table, null, entries, bytes));
    if (hash != null) {
      rows.add(row("HASH INDEX", table, null, hash.entries(), hash.bytes()));
    }
    if (tree != null) {
      String name = table.definition().primaryKeyName();
      rows.add(row("PRIMARY INDEX", table, name, tree.entries(), tree.bytes()));
    }
    for (IndexStore index : store.indexes()) {
      TreeStatistics of = inspector.tree(index);
      rows.add(row("INDEX", table, index.schema().name(), of.entries(), of.bytes()));
    }
  }

  private static Object[] row(
      String kind, TableEntry table, String index, long entries, long bytes) {
    return new Object[] {kind, table.schemaName(), table.name(), index, entries, bytes};
  }

  private void addPool(List<Object[]> rows) {
    DatabaseStatistics.Memory memory = StatisticsReader.memory(engine);
    rows.add(pool("POOL CAPACITY", memory.capacity()));
    rows.add(pool("POOL TAKEN", memory.taken()));
    rows.add(pool("POOL LIVE", memory.live()));
    rows.add(pool("POOL FREE", memory.free()));
    rows.add(pool("POOL RETIRED", memory.retired()));
  }

  private static Object[] pool(String kind, long bytes) {
    return new Object[] {kind, null, null, null, null, bytes};
  }
}
