package org.nelumbo.planner.catalog;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.statistics.TableStatistics;

/**
 * A table as of one version of the catalogue: its definition and the opened store. Immutable; the
 * metadata lock and the sequences are shared by all versions of the table.
 */
public final class TableEntry implements Relation {
  private final TableDefinition definition;
  private final TableSchema schema;
  private final TableStore store;
  private final MetadataLock metadataLock;

  /** By what names them in the catalogue. */
  private final Map<Integer, IdentitySequence> sequences;

  private final long since;
  private final List<Column> visible;

  /** Null: it is not damaged. */
  private final String damage;

  /** Of the rows in the store; shared by all versions that have it. */
  private final AtomicReference<TableStatistics> statistics;

  TableEntry(
      TableDefinition definition,
      TableStore store,
      MetadataLock metadataLock,
      Map<Integer, IdentitySequence> sequences) {
    this(definition, store, metadataLock, sequences, 0, null, new AtomicReference<>());
  }

  private TableEntry(
      TableDefinition definition,
      TableStore store,
      MetadataLock metadataLock,
      Map<Integer, IdentitySequence> sequences,
      long since,
      String damage,
      AtomicReference<TableStatistics> statistics) {
    this.definition = definition;
    this.schema = definition.toSchema();
    this.store = store;
    this.metadataLock = metadataLock;
    this.sequences = Map.copyOf(sequences);
    this.since = since;
    this.damage = damage;
    this.statistics = statistics;
    this.visible = definition.columns().subList(0, definition.visibleColumns());
  }

  /**
   * This table under another definition.
   *
   * @param now the clock; noted if there is another store or a new index, which know only the rows
   *     as they are now
   */
  TableEntry with(TableDefinition newDefinition, TableStore newStore, long now) {
    boolean filled = newStore != store || hasNewIndex(newDefinition);
    return new TableEntry(
        newDefinition,
        newStore,
        metadataLock,
        sequences,
        filled ? now : since,
        damage,
        statisticsIn(newStore));
  }

  private AtomicReference<TableStatistics> statisticsIn(TableStore newStore) {
    return newStore == store ? statistics : new AtomicReference<>();
  }

  /** What is known of the values in the table; null if nobody has looked yet. */
  public TableStatistics statistics() {
    return statistics.get();
  }

  /** Notes what is known of the values in the table, for all its versions; any thread. */
  public void noteStatistics(TableStatistics known) {
    statistics.set(known);
  }

  private boolean hasNewIndex(TableDefinition newDefinition) {
    return newDefinition.indexes().stream()
        .anyMatch(
            index ->
                definition.indexes().stream()
                    .noneMatch(known -> known.schema().id() == index.schema().id()));
  }

  /** This table under another definition, in the store that it has, damaged or not. */
  TableEntry with(TableDefinition newDefinition) {
    return new TableEntry(newDefinition, store, metadataLock, sequences, since, damage, statistics);
  }

  /** This table in a form that it is about to get, in a store that nobody knows yet. */
  public TableEntry withDefinition(TableDefinition newDefinition, TableStore newStore) {
    return new TableEntry(
        newDefinition, newStore, metadataLock, sequences, since, damage, statisticsIn(newStore));
  }

  /** This table with other numbers for its rows. */
  TableEntry numberedBy(Map<Integer, IdentitySequence> numbers) {
    return new TableEntry(definition, store, metadataLock, numbers, since, damage, statistics);
  }

  /** This table, found damaged when the pool was opened. */
  TableEntry damaged(String why) {
    return new TableEntry(definition, store, metadataLock, sequences, since, why, statistics);
  }

  /** What was found wrong with the table when the pool was opened; null if nothing was. */
  public String damage() {
    return damage;
  }

  public TableDefinition definition() {
    return definition;
  }

  public TableSchema schema() {
    return schema;
  }

  /** Its rows and indexes; XX001 if they are damaged, so that no statement reads them. */
  public TableStore store() {
    if (damage != null) {
      throw new NelumboException(
          ErrorCode.DATA_CORRUPTED,
          "table "
              + this
              + " was found damaged when the pool was opened, and is not read: "
              + damage
              + "; other tables can be used; SYS.DAMAGED_TABLES lists such tables, DROP TABLE"
              + " removes them");
    }
    return store;
  }

  public MetadataLock metadataLock() {
    return metadataLock;
  }

  /** The numbers of an identity column or the hidden column. */
  public IdentitySequence sequence(int numberedColumn) {
    return sequences.get(definition.sequenceId(numberedColumn));
  }

  /** All numbers of its rows, by what names them in the catalogue. */
  Map<Integer, IdentitySequence> sequences() {
    return sequences;
  }

  /** Snapshots older than this cannot be read: the store, or an index of it, was filled then. */
  public long since() {
    return since;
  }

  public int id() {
    return definition.id();
  }

  @Override
  public String schemaName() {
    return definition.schema();
  }

  @Override
  public String name() {
    return definition.name();
  }

  @Override
  public List<Column> columns() {
    return visible;
  }

  @Override
  public String toString() {
    return schemaName() + "." + name();
  }
}
