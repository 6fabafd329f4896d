package org.nelumbo.executor.row;

import java.util.Arrays;

/**
 * A secondary index: its columns in order. Its entries' keys are these columns followed by the
 * table's primary key, see {@link IndexKeyEncoder}.
 *
 * @param id unique in the pool, together with table ids
 * @param columns ordinals of table columns
 * @param descending per index column
 * @param shortens whether keys that are too long for an entry are shortened; else their rows are
 *     refused. Not if it is unique
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

  /** An index that refuses rows whose keys are too long. */
  public IndexSchema(int id, String name, boolean unique, int[] columns, boolean[] descending) {
    this(id, name, unique, columns, descending, false);
  }

  /** An index with all columns ascending. */
  public static IndexSchema ascending(int id, String name, boolean unique, int... columns) {
    return new IndexSchema(id, name, unique, columns, new boolean[columns.length]);
  }

  /** This index under another name. */
  public IndexSchema withName(String newName) {
    return new IndexSchema(id, newName, unique, columns, descending, shortens);
  }

  /** This index where its columns have other ordinals. */
  public IndexSchema withColumns(int[] newColumns) {
    return new IndexSchema(id, name, unique, newColumns, descending, shortens);
  }

  /** This index with keys that are shortened where they are too long. */
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
