package org.nelumbo.executor.row;

import java.util.Arrays;

/**
 * The definition of a secondary index: its columns in order. The key of an entry consists of these
 * columns, followed by the table's primary key; see {@link IndexKeyEncoder}.
 *
 * @param id unique among the ids of all tables and indexes of the pool
 * @param columns ordinals of the table's columns
 * @param descending direction of each index column
 * @param shortens true if keys that are too long for an entry are shortened, false if their rows
 *     are refused; always false for a unique index
 */
public record IndexSchema(
    int id, String name, boolean unique, int[] columns, boolean[] descending, boolean shortens) {
  public IndexSchema {
    if (columns.length == 0 || columns.length != descending.length) {
      throw new IllegalArgumentException("bad index columns index=" + name);
    }
    if (unique && shortens) {
      throw new IllegalArgumentException("unique index with shortened keys index=" + name);
    }
    columns = columns.clone();
    descending = descending.clone();
  }

  /** Creates an index that refuses rows whose keys are too long. */
  public IndexSchema(int id, String name, boolean unique, int[] columns, boolean[] descending) {
    this(id, name, unique, columns, descending, false);
  }

  /** Creates an index with all columns ascending. */
  public static IndexSchema ascending(int id, String name, boolean unique, int... columns) {
    return new IndexSchema(id, name, unique, columns, new boolean[columns.length]);
  }

  /** Returns this index with another name. */
  public IndexSchema withName(String newName) {
    return new IndexSchema(id, newName, unique, columns, descending, shortens);
  }

  /** Returns this index with other ordinals of its columns. */
  public IndexSchema withColumns(int[] newColumns) {
    return new IndexSchema(id, name, unique, newColumns, descending, shortens);
  }

  /** Returns this index with {@code shortens} set. */
  public IndexSchema shortened() {
    return new IndexSchema(id, name, unique, columns, descending, true);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexSchema that
        && id == that.id
        && name.equals(that.name)
        && unique == that.unique
        && shortens == that.shortens
        && Arrays.equals(columns, that.columns)
        && Arrays.equals(descending, that.descending);
  }

  @Override
  public int hashCode() {
    return id;
  }

  @Override
  public String toString() {
    return name + Arrays.toString(columns);
  }
}
