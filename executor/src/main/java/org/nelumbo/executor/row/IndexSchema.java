package org.nelumbo.executor.row;

import java.util.Arrays;

/**
 * A secondary index: its columns in order. Its entries' keys are these columns followed by the
 * table's primary key.
 *
 * @param id unique in the pool, together with table ids
 * @param columns ordinals of table columns
 * @param descending per index column
 */
public record IndexSchema(
    int id, String name, boolean unique, int[] columns, boolean[] descending) {
  public IndexSchema {
    if (columns.length == 0 || columns.length != descending.length) {
      throw new IllegalArgumentException("bad index columns index=" + name);
    }
    columns = columns.clone();
    descending = descending.clone();
  }

  /** An index with all columns ascending. */
  public static IndexSchema ascending(int id, String name, boolean unique, int... columns) {
    return new IndexSchema(id, name, unique, columns, new boolean[columns.length]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexSchema that
        && id == that.id
        && name.equals(that.name)
        && unique == that.unique
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
