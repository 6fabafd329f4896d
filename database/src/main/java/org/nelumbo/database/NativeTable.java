package org.nelumbo.database;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.planner.catalog.IdentitySequence;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * A table as the native API sees it: its columns, keys and indexes. Names are looked up here, once;
 * key operations take the ordinals and stores this gives. Immutable and thread-safe; good until the
 * session that gave it is closed.
 */
public final class NativeTable {
  private final TableEntry entry;
  private final TableStore store;

  /** By ordinals of columns; null for those that are not numbered. */
  private final IdentitySequence[] sequences;

  /** The table as of now; the caller holds its metadata lock. */
  public NativeTable(TableEntry entry) {
    this.entry = entry;
    this.store = entry.store();
    this.sequences = new IdentitySequence[entry.definition().columns().size()];
    for (int column : entry.definition().numberedColumns()) {
      sequences[column] = entry.sequence(column);
    }
  }

  /** What the methods of {@code Transaction} and {@code PointBatch} take. */
  public TableStore store() {
    return store;
  }

  /** Reads columns of row images. */
  public RowLayout layout() {
    return store.layout();
  }

  /**
   * Appends primary key columns to a key, by their position in the key; {@link RowLayout#finishKey}
   * completes it.
   */
  public KeyFormat keyFormat() {
    return store.layout().keyFormat();
  }

  /** Builds row images and keys; for one thread, to be used again. */
  public RowWriter newWriter() {
    return new RowWriter(store.layout());
  }

  /**
   * Ordinal of a column, by its exact name or that in upper case.
   *
   * @throws NelumboException 42S22 if there is none
   */
  public int column(String name) {
    TableSchema schema = store.schema();
    int exact = schema.ordinal(name);
    int ordinal = exact >= 0 ? exact : schema.ordinal(name.toUpperCase(Locale.ROOT));
    if (ordinal < 0) {
      String known = entry.columns().stream().map(Column::name).collect(Collectors.joining(", "));
      throw new NelumboException(
          ErrorCode.NO_SUCH_COLUMN,
          "Column '" + name + "' not found in table '" + entry + "'; it has " + known);
    }
    return ordinal;
  }

  /**
   * The ordered index over the primary key.
   *
   * @throws NelumboException 42S12 if the table was created {@code WITH (ordered = false)}
   */
  public IndexStore primary() {
    if (store.primary() == null) {
      throw new NelumboException(
          ErrorCode.NO_SUCH_INDEX,
          "table " + entry + " has no ordered primary index: it was created with ordered = false");
    }
    return store.primary();
  }

  /**
   * A secondary index, by its exact name or that in upper case; {@link IndexStore#encoder} has the
   * format of its columns.
   *
   * @throws NelumboException 42S12 if there is none
   */
  public IndexStore index(String name) {
    for (IndexStore index : store.indexes()) {
      String own = index.schema().name();
      if (own.equals(name) || own.equals(name.toUpperCase(Locale.ROOT))) {
        return index;
      }
    }
    String known =
        Arrays.stream(store.indexes())
            .map(i -> i.schema().name())
            .collect(Collectors.joining(", "));
    throw new NelumboException(
        ErrorCode.NO_SUCH_INDEX,
        "Index '" + name + "' not found on table '" + entry + "'; it has [" + known + "]");
  }

  /**
   * Ordinals of the columns whose values {@link #nextNumber} gives: the IDENTITY columns, then the
   * hidden key of a table without PRIMARY KEY.
   */
  public int[] numberedColumns() {
    return entry.definition().numberedColumns();
  }

  /**
   * The next value of one of the {@link #numberedColumns}; thread-safe.
   *
   * @throws IllegalArgumentException if the column is none of them
   */
  public long nextNumber(int column) {
    IdentitySequence numbers = sequences[column];
    if (numbers == null) {
      throw new IllegalArgumentException(
          "no identity column and no hidden key, table=" + entry + " column=" + column);
    }
    return numbers.next();
  }

  @Override
  public String toString() {
    return entry.toString();
  }
}
