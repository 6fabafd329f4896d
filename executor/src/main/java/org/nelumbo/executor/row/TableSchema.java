package org.nelumbo.executor.row;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The definition of a table for the engine: columns, primary key, critical field, number of
 * versions. Immutable. Every table has a primary key without nullable columns; the planner adds a
 * hidden column if the user has not declared one.
 */
public final class TableSchema {
  private final int id;
  private final String name;
  private final List<Column> columns;
  private final int[] primaryKey;
  private final int critical;
  private final int versions;
  private final boolean ordered;
  private final boolean hashed;
  private final List<IndexSchema> indexes;
  private final Map<String, Integer> ordinals = new HashMap<>();

  /** Creates the schema of a table with a hash index; see the other constructor. */
  public TableSchema(
      int id,
      String name,
      List<Column> columns,
      int[] primaryKey,
      int critical,
      int versions,
      boolean ordered,
      List<IndexSchema> indexes) {
    this(id, name, columns, primaryKey, critical, versions, ordered, true, indexes);
  }

  /**
   * Creates a schema.
   *
   * @param id id of the table's store; part of LOTUS keys and CVTs, so no two stores ever share an
   *     id
   * @param primaryKey column ordinals in key order
   * @param critical ordinal of the critical field, a column of the primary key (LOTUS section 4.2)
   * @param versions number of cells in a CVT
   * @param ordered true if the table has an ordered primary index
   * @param hashed true if the table has a hash index; false only if it is ordered
   * @throws IllegalArgumentException if a column of the primary key is nullable, the critical field
   *     is not in the primary key, or the table has no index
   */
  public TableSchema(
      int id,
      String name,
      List<Column> columns,
      int[] primaryKey,
      int critical,
      int versions,
      boolean ordered,
      boolean hashed,
      List<IndexSchema> indexes) {
    this.id = id;
    this.name = name;
    this.columns = List.copyOf(columns);
    this.primaryKey = primaryKey.clone();
    this.critical = critical;
    this.versions = versions;
    this.ordered = ordered;
    this.hashed = hashed;
    this.indexes = List.copyOf(indexes);
    check();
    for (int i = 0; i < this.columns.size(); i++) {
      ordinals.put(this.columns.get(i).name(), i);
    }
  }

  private void check() {
    if (!ordered && !hashed) {
      throw new IllegalArgumentException("neither an ordered nor a hash index table=" + name);
    }
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

  /**
   * Returns the id of the table's store, not of the table: a store that replaces it has another id.
   */
  public int id() {
    return id;
  }

  public String name() {
    return name;
  }

  /** Returns the columns in the order of their ordinals. */
  public List<Column> columns() {
    return columns;
  }

  public Column column(int ordinal) {
    return columns.get(ordinal);
  }

  int columnCount() {
    return columns.size();
  }

  /** Returns the ordinal of the column with this exact name, or -1. */
  public int ordinal(String columnName) {
    return ordinals.getOrDefault(columnName, -1);
  }

  /** Returns the ordinals of the primary key columns, in key order. */
  public int[] primaryKey() {
    return primaryKey.clone();
  }

  /** Returns the position of a column in the primary key, or -1. */
  public int primaryKeyPosition(int ordinal) {
    for (int i = 0; i < primaryKey.length; i++) {
      if (primaryKey[i] == ordinal) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the ordinal of the critical field. */
  public int critical() {
    return critical;
  }

  /** Returns the number of cells in a CVT. */
  public int versions() {
    return versions;
  }

  /** Returns true if the table has an ordered primary index. */
  public boolean ordered() {
    return ordered;
  }

  /** Returns true if the table has a hash index. */
  public boolean hashed() {
    return hashed;
  }

  /** Returns the secondary indexes that existed when this schema was created. */
  public List<IndexSchema> indexes() {
    return indexes;
  }

  @Override
  public String toString() {
    return name;
  }
}
