package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.row.IndexSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/**
 * Creates catalog entries from definitions: opens their stores and connects their number sequences.
 */
final class CatalogEntries {
  private final Engine engine;
  private final CatalogStore store;

  CatalogEntries(Engine engine, CatalogStore store) {
    this.engine = engine;
    this.store = store;
  }

  /** Opens the store and the indexes of a table in the pool. */
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

  /** Creates the entry of a table that this compute node has not opened before. */
  TableEntry table(TableDefinition definition, TableStore tableStore, IntToLongFunction restarts) {
    MetadataLock metadataLock = new MetadataLock(engine.environment());
    TableEntry table = new TableEntry(definition, tableStore, metadataLock, Map.of());
    return numbered(table, definition, restarts);
  }

  /**
   * Returns the table entry with number sequences for all numbered columns of a definition;
   * existing sequences are kept.
   *
   * @param restarts the stored restart counter by sequence id
   */
  TableEntry numbered(TableEntry table, TableDefinition definition, IntToLongFunction restarts) {
    Map<Integer, IdentitySequence> sequences = new HashMap<>(table.sequences());
    for (int column : definition.numberedColumns()) {
      sequences.computeIfAbsent(
          definition.sequenceId(column), id -> numbers(definition, column, restarts));
    }
    return table.numberedBy(sequences);
  }

  private IdentitySequence numbers(
      TableDefinition definition, int column, IntToLongFunction restarts) {
    int id = definition.sequenceId(column);
    long start = start(definition, column);
    return new IdentitySequence(
        owner(definition, column),
        bounds(definition, column),
        restarts.applyAsLong(id),
        change -> store.update(id, SequenceRow.first(start), change));
  }

  static String owner(TableDefinition definition, int column) {
    return "the identity column "
        + definition.name()
        + "."
        + definition.columns().get(column).name();
  }

  /** Returns the range and the step of the numbers of a column. */
  static IdentitySequence.Bounds bounds(TableDefinition definition, int column) {
    IdentityDefinition identity = definition.identity(column);
    return identity == null
        ? IdentitySequence.Bounds.of(1, 1)
        : IdentitySequence.Bounds.of(identity.start(), identity.increment());
  }

  static long start(TableDefinition definition, int column) {
    IdentityDefinition identity = definition.identity(column);
    return identity == null ? 1 : identity.start();
  }

  /** Creates the entry of a sequence that this compute node has not opened before. */
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
