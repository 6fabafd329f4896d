package org.nelumbo.planner.ddl;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Coordinator;
import org.nelumbo.executor.txn.Engine;
import org.nelumbo.planner.catalog.TableDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/** Makes, fills and drops tables and indexes in the pool. One schema change at a time uses it. */
public final class StoreBuilder {
  private final Engine engine;

  public StoreBuilder(Engine engine) {
    this.engine = engine;
  }

  /** An empty table with its indexes. */
  TableStore create(TableDefinition definition) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      TableStore store = engine.createTable(coordinator, definition.toSchema());
      for (IndexDefinition index : definition.indexes()) {
        store.addIndex(engine.createIndex(coordinator, store, index.schema()));
      }
      return store;
    }
  }

  /** The definition with the addresses of what {@link #create} made. */
  static TableDefinition withRoots(TableDefinition definition, TableStore store) {
    List<IndexDefinition> indexes = new ArrayList<>();
    for (int i = 0; i < store.indexes().length; i++) {
      IndexDefinition index = definition.indexes().get(i);
      indexes.add(
          new IndexDefinition(index.schema(), index.constraint(), store.indexes()[i].root()));
    }
    long primary = store.primary() == null ? 0 : store.primary().root();
    return definition.withIndexes(indexes).withRoots(store.hashRoot(), primary);
  }

  /**
   * An index over the rows there are; the table's gate is closed. 23505 if it is unique and they
   * are not.
   */
  IndexStore createIndex(TableStore table, IndexSchema index) {
    try (Coordinator coordinator = engine.openCoordinator()) {
      IndexStore store = engine.createIndex(coordinator, table, index);
      engine.fillIndex(coordinator, store);
      return store;
    }
  }

  /** Gives a table's memory back; nobody uses it any more. */
  void drop(TableStore table) {
    // its memory goes with the pool
  }
}
