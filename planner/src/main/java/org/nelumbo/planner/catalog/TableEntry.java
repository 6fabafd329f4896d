package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;

/**
 * A table as of one version of the catalogue: its definition and the opened store. Immutable; the
 * gate and the sequence are shared by all versions of the table.
 */
public final class TableEntry implements Relation {
  private final TableDefinition definition;
  private final TableSchema schema;
  private final TableStore store;
  private final TableGate gate;
  private final IdentitySequence sequence;
  private final List<Column> visible;

  TableEntry(
      TableDefinition definition, TableStore store, TableGate gate, IdentitySequence sequence) {
    this.definition = definition;
    this.schema = definition.toSchema();
    this.store = store;
    this.gate = gate;
    this.sequence = sequence;
    this.visible = definition.columns().subList(0, definition.visibleColumns());
  }

  /** The same table under another definition. */
  TableEntry with(TableDefinition newDefinition, TableStore newStore) {
    return new TableEntry(newDefinition, newStore, gate, sequence);
  }

  public TableDefinition definition() {
    return definition;
  }

  public TableSchema schema() {
    return schema;
  }

  public TableStore store() {
    return store;
  }

  public TableGate gate() {
    return gate;
  }

  /** Numbers the identity column's or the hidden column's values; null if there is neither. */
  public IdentitySequence sequence() {
    return sequence;
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
