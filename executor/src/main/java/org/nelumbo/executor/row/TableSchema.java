package org.nelumbo.executor.row;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A table as the engine needs it: columns, primary key, critical field, number of versions.
 * Immutable. Every table has a primary key (the planner adds a hidden column where the user gave
 * none), and its columns are not nullable.
 */
public final class TableSchema {
  private final int id;
  private final String name;
  private final List<Column> columns;
  private final int[] primaryKey;
  private final int critical;
  private final int versions;
  private final boolean ordered;
  private final List<IndexSchema> indexes;
  private final Map<String, Integer> ordinals = new HashMap<>();

  /**
   * A table.
   *
   * @param id names the table's store: LOTUS keys and CVTs have it, so two stores never share one
   * @param primaryKey column ordinals in key order
   * @param critical ordinal of the critical field, one of the primary key (LOTUS section 4.2)
   * @param versions cells of a CVT
   * @param ordered whether there is an ordered primary index
   */
  public TableSchema(
      int id,
      String name,
      List<Column> columns,
      int[] primaryKey,
      int critical,
      int versions,
      boolean ordered,
      List<IndexSchema> indexes) {
    this.id = id;
    this.name = name;
    this.columns = List.copyOf(columns);
    this.primaryKey = primaryKey.clone();
    this.critical = critical;
    this.versions = versions;
    this.ordered = ordered;
    this.indexes = List.copyOf(indexes);
    check();
    for (int i = 0; i < this.columns.size(); i++) {
      ordinals.put(this.columns.get(i).name(), i);
    }
  }

  private void check() {
    boolean criticalInKey = false;
    for (int ordinal : primaryKey) {
      if (columns.get(ordinal).type().nullable()) {
        throw new IllegalArgumentException("nullable primary key column table=" + name);
      }
      criticalInKey |= ordinal == critical;
    }
    if (!criticalInKey) {
      throw new IllegalArgumentException("critical field is not in the primary key table=" + name);
    }
  }

  /** Names the table's store, not the table: a store that takes its place has another id. */
  public int id() {
    return id;
  }

  public String name() {
    return name;
  }

  public List<Column> columns() {
    return columns;
  }

  public Column column(int ordinal) {
    return columns.get(ordinal);
  }

  int columnCount() {
    return columns.size();
  }

  /** Ordinal of a column by its exact name, or -1. */
  public int ordinal(String columnName) {
    return ordinals.getOrDefault(columnName, -1);
  }

  /** Ordinals of the primary key columns, in key order. */
  public int[] primaryKey() {
    return primaryKey.clone();
  }

  /** Position of a column in the primary key, or -1. */
  public int primaryKeyPosition(int ordinal) {
    for (int i = 0; i < primaryKey.length; i++) {
      if (primaryKey[i] == ordinal) {
        return i;
      }
    }
    return -1;
  }

  /** Ordinal of the critical field. */
  public int critical() {
    return critical;
  }

  /** Cells of a CVT. */
  public int versions() {
    return versions;
  }

  /** Whether there is an ordered primary index. */
  public boolean ordered() {
    return ordered;
  }

  /** The secondary indexes known when this schema was made. */
  public List<IndexSchema> indexes() {
    return indexes;
  }

  @Override
  public String toString() {
    return name;
  }
}
