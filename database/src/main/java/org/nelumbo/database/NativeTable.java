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
 * A table in the native API: its columns, keys and indexes. Names are looked up here once; key
 * operations take the ordinals and stores that this object returns. Immutable and thread-safe;
 * valid until the session that returned it is closed.
 */
public final class NativeTable {
  private final TableEntry entry;
  private final TableStore store;

  /** Sequences by column ordinal; null for columns without a sequence. */
  private final IdentitySequence[] sequences;

  /** Creates the current state of a table; the caller holds its metadata lock. */
  public NativeTable(TableEntry entry) {
    this.entry = entry;
    this.store = entry.store();
    this.sequences = new IdentitySequence[entry.definition().columns().size()];
    for (int column : entry.definition().numberedColumns()) {
      sequences[column] = entry.sequence(column);
    }
  }

  /** Returns the argument for methods of {@code Transaction} and {@code PointBatch}. */
  public TableStore store() {
    return store;
  }

  /** Returns the layout, which reads columns of row images. */
  public RowLayout layout() {
    return store.layout();
  }

  /**
   * Returns the format that appends primary key columns to a key, by their position in the key;
   * {@link RowLayout#finishKey} completes the key.
   */
  public KeyFormat keyFormat() {
    return store.layout().keyFormat();
  }

  /** Creates a reusable builder of row images and keys for one thread. */
  public RowWriter newWriter() {
    return new RowWriter(store.layout());
  }

  /**
   * Returns the ordinal of a column by its exact name or its name in upper case.
   *
   * @throws NelumboException 42S22 if the column does not exist
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
   * Returns the ordered index over the primary key.
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
   * Returns a secondary index by its exact name or its name in upper case; {@link
   * IndexStore#encoder} has the format of its columns.
   *
   * @throws NelumboException 42S12 if the index does not exist
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
   * Returns the ordinals of the columns whose values {@link #nextNumber} generates: the IDENTITY
   * columns, then the hidden key of a table without PRIMARY KEY.
   */
  public int[] numberedColumns() {
    return entry.definition().numberedColumns();
  }

  /**
   * Returns the next value of one of the {@link #numberedColumns}; thread-safe.
   *
   * @throws IllegalArgumentException if the column is not one of them
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
