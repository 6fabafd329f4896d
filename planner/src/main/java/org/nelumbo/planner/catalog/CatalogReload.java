package org.nelumbo.planner.catalog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.recovery.TablePreparation;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.TableDefinition.IndexDefinition;

/**
 * Builds the next version of a catalog after a change by another compute node. Entries with
 * unchanged definitions are reused. Tables that have changed are locked here, so they are not in
 * use. The other compute node is about to free the memory of dropped stores and indexes, so this
 * compute node does not touch them afterwards.
 */
final class CatalogReload {
  private final Engine engine;
  private final CatalogEntries entries;
  private final CatalogState before;
  private final CatalogContent content;
  private final TablePreparation preparation;

  /** Timestamp from which changed tables can be read. */
  private final long since;

  private final NavigableMap<String, NavigableMap<String, Relation>> schemas = new TreeMap<>();
  private final List<TableStore> leftTables = new ArrayList<>();
  private final List<IndexStore> leftIndexes = new ArrayList<>();

  CatalogReload(
      Engine engine,
      CatalogEntries entries,
      CatalogState before,
      CatalogContent content,
      TablePreparation preparation,
      long since) {
    this.engine = engine;
    this.entries = entries;
    this.before = before;
    this.content = content;
    this.preparation = preparation;
    this.since = since;
  }

  CatalogState run() {
    Map<String, String> comments = new HashMap<>();
    for (String schema : content.schemaIds().keySet()) {
      schemas.put(schema, new TreeMap<>());
      if (content.comment(schema) != null) {
        comments.put(schema, content.comment(schema));
      }
    }
    for (String schema : CatalogState.SYSTEM) {
      schemas.putIfAbsent(schema, new TreeMap<>());
      before.relations(schema).stream().filter(SystemView.class::isInstance).forEach(this::add);
    }
    content.tables().forEach(each -> add(table(each)));
    Map<Integer, SequenceEntry> sequences = sequencesBefore();
    content.sequences().forEach(each -> add(sequence(each, sequences.get(each.id()))));
    content.views().forEach(this::add);
    leaveDropped();
    return CatalogState.of(before.version() + 1, schemas, comments);
  }

  private void add(Relation relation) {
    schemas.get(relation.schemaName()).put(relation.name(), relation);
  }

  private Map<Integer, SequenceEntry> sequencesBefore() {
    Map<Integer, SequenceEntry> sequences = new HashMap<>();
    for (String schema : before.schemaNames()) { // sequences are never temporary
      for (Relation relation : before.relations(schema)) {
        if (relation instanceof SequenceEntry sequence) {
          sequences.put(sequence.definition().id(), sequence);
        }
      }
    }
    return sequences;
  }

  private SequenceEntry sequence(SequenceDefinition definition, SequenceEntry oldOrNull) {
    SequenceRow row = content.sequenceRow(definition.id(), definition.start());
    if (oldOrNull == null) {
      return entries.sequence(definition, row.restarts());
    }
    IdentitySequence.Bounds bounds = IdentitySequence.Bounds.of(definition);
    oldOrNull.numbers().follow(CatalogEntries.owner(definition), bounds, row);
    return new SequenceEntry(definition, oldOrNull.numbers());
  }

  private TableEntry table(TableDefinition definition) {
    TableEntry old = before.table(definition.id());
    if (old == null) {
      return entries.table(definition, opened(definition), content::restarts);
    }
    for (int column : definition.numberedColumns()) {
      int id = definition.sequenceId(column);
      if (old.sequences().containsKey(id)) {
        IdentitySequence.Bounds bounds = CatalogEntries.bounds(definition, column);
        SequenceRow row = content.sequenceRow(id, CatalogEntries.start(definition, column));
        old.sequences().get(id).follow(CatalogEntries.owner(definition, column), bounds, row);
      }
    }
    if (old.damage() != null) {
      return old.with(definition);
    }
    if (isAsBefore(old.definition(), definition)) {
      return old;
    }
    TableEntry numbered = entries.numbered(old, definition, content::restarts);
    return numbered.with(definition, store(old, definition), since);
  }

  private static boolean isAsBefore(TableDefinition before, TableDefinition now) {
    return Arrays.equals(DefinitionCodec.encode(before), DefinitionCodec.encode(now));
  }

  private TableStore opened(TableDefinition definition) {
    TableStore store = entries.open(definition);
    preparation.tryRecover(store);
    return store;
  }

  private TableStore store(TableEntry old, TableDefinition definition) {
    TableStore store = old.store();
    if (definition.storeId() != old.definition().storeId()) {
      leftTables.add(store);
      return opened(definition);
    }
    for (IndexStore index : store.indexes()) {
      if (definition.indexes().stream().noneMatch(each -> isOf(each, index))) {
        store.removeIndex(index);
        leftIndexes.add(index);
      }
    }
    for (IndexDefinition each : definition.indexes()) {
      if (Arrays.stream(store.indexes()).noneMatch(index -> isOf(each, index))) {
        store.addIndex(store.newIndex(engine.environment(), each.schema(), each.root()));
      }
    }
    store.rename(definition.toSchema());
    return store;
  }

  private static boolean isOf(IndexDefinition definition, IndexStore index) {
    return definition.schema().id() == index.schema().id();
  }

  private void leaveDropped() {
    for (TableEntry old : before.tables()) {
      if (old.damage() == null
          && content.tables().stream().noneMatch(each -> each.id() == old.id())) {
        leftTables.add(old.store());
      }
    }
    leftTables.forEach(engine.tables()::leave);
    leftIndexes.forEach(engine.tables()::leave);
  }
}
