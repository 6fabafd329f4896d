package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/** Makes entries of the catalogue from definitions: opens stores, and has numbers taken. */
final class CatalogEntries {
  private final Engine engine;
  private final CatalogStore store;

  CatalogEntries(Engine engine, CatalogStore store) {
    this.engine = engine;
    this.store = store;
  }

  /** Opens what a table has in the pool. */
  TableStore open(TableDefinition definition) {
    List<IndexSchema> schemas = new ArrayList<>();
    List<Long> roots = new ArrayList<>();
    for (IndexDefinition index : definition.indexes()) {
      schemas.add(index.schema());
      roots.add(index.root());
    }
    return engine
        .tables()
        .open(
            definition.toSchema(),
            new TableStore.TableRoots(definition.hashRoot(), definition.primaryRoot()),
            schemas,
            roots);
  }

  /** A table that was not known before. */
  TableEntry table(TableDefinition definition, TableStore tableStore, long restarts) {
    return new TableEntry(
        definition,
        tableStore,
        new MetadataLock(engine.environment()),
        numbers(definition, restarts));
  }

  /** What numbers the rows of a table; null if they are not numbered. */
  IdentitySequence numbers(TableDefinition definition, long restarts) {
    IdentitySequence.Bounds bounds = bounds(definition);
    long start = start(definition);
    return bounds == null
        ? null
        : new IdentitySequence(
            owner(definition),
            bounds,
            restarts,
            change -> store.update(definition.id(), SequenceRow.first(start), change));
  }

  static String owner(TableDefinition definition) {
    IdentityDefinition identity = definition.identity();
    int column = identity == null ? definition.hiddenColumn() : identity.column();
    return "the identity column "
        + definition.name()
        + "."
        + definition.columns().get(column).name();
  }

  /** Which numbers a table's rows have; null if they are not numbered. */
  static IdentitySequence.Bounds bounds(TableDefinition definition) {
    IdentityDefinition identity = definition.identity();
    return identity != null
        ? IdentitySequence.Bounds.of(identity.start(), identity.increment())
        : definition.hiddenColumn() < 0 ? null : IdentitySequence.Bounds.of(1, 1);
  }

  static long start(TableDefinition definition) {
    return definition.identity() == null ? 1 : definition.identity().start();
  }

  /** A sequence that was not known before. */
  SequenceEntry sequence(SequenceDefinition definition, long restarts) {
    IdentitySequence numbers =
        new IdentitySequence(
            owner(definition),
            IdentitySequence.Bounds.of(definition),
            restarts,
            change -> store.update(definition.id(), SequenceRow.first(definition.start()), change));
    return new SequenceEntry(definition, numbers);
  }

  static String owner(SequenceDefinition definition) {
    return "sequence " + definition.schema() + "." + definition.name();
  }
}
