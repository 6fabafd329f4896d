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
 * A table as of one version of the catalog: its definition and the opened store. Immutable; the
 * metadata lock and the number sequences are shared by all versions of the table.
 */
public final class TableEntry implements Relation {
  private final TableDefinition definition;
  private final TableSchema schema;
  private final TableStore store;
  private final MetadataLock metadataLock;

  private final Map<Integer, IdentitySequence> sequences;

  private final long since;
  private final List<Column> visible;

  /** Null if the table is intact. */
  private final String damage;

  /** Statistics of the rows in the store, shared by all versions with that store. */
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
   * Returns this table with another definition.
   *
   * @param now the current timestamp, which becomes {@link #since} if there is another store or a
   *     new index, because these contain only the current rows
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

  /** Returns the statistics of the values in the table, or null if none have been collected. */
  public TableStatistics statistics() {
    return statistics.get();
  }

  /**
   * Sets the statistics of the values in the table, for all its versions. Any thread may call this.
   */
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

  /** Returns this table with another definition and the same store, which may be damaged. */
  TableEntry with(TableDefinition newDefinition) {
    return new TableEntry(newDefinition, store, metadataLock, sequences, since, damage, statistics);
  }

  /**
   * Returns this table with the definition that it is about to get, in a store that is not
   * published yet.
   */
  public TableEntry withDefinition(TableDefinition newDefinition, TableStore newStore) {
    return new TableEntry(
        newDefinition, newStore, metadataLock, sequences, since, damage, statisticsIn(newStore));
  }

  /** Returns this table with other number sequences. */
  TableEntry numberedBy(Map<Integer, IdentitySequence> numbers) {
    return new TableEntry(definition, store, metadataLock, numbers, since, damage, statistics);
  }

  /** Returns this table marked as damaged, found when the pool was opened. */
  TableEntry damaged(String why) {
    return new TableEntry(definition, store, metadataLock, sequences, since, why, statistics);
  }

  /** Returns the damage that was found when the pool was opened, or null if there is none. */
  public String damage() {
    return damage;
  }

  public TableDefinition definition() {
    return definition;
  }

  public TableSchema schema() {
    return schema;
  }

  /**
   * Returns the rows and indexes of the table.
   *
   * @throws NelumboException XX001 if the table is damaged, so that no statement reads it
   */
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

  /** Returns the numbers of an identity column or the hidden column. */
  public IdentitySequence sequence(int numberedColumn) {
    return sequences.get(definition.sequenceId(numberedColumn));
  }

  /** Returns all number sequences of the table, by id. */
  Map<Integer, IdentitySequence> sequences() {
    return sequences;
  }

  /**
   * Returns the timestamp at which the store or an index was filled; older snapshots cannot be
   * read.
   */
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
