package org.nelumbo.benchmark.nativeapi;

import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.PointBatch;

/**
 * A numeric column of rows that are read in a batch or one by one. Reads its value, and writes rows
 * in which only this column changes. Used by one thread at a time.
 */
public final class NumberColumn {
  private final NativeApiSession session;
  private final NativeTable table;
  private final RowLayout layout;
  private final RowWriter writer;
  private final int ordinal;
  private final RowBuffer row = new RowBuffer();
  private final RowBuffer image = new RowBuffer();

  /** Creates an accessor for a column of a table. */
  public NumberColumn(NativeApiSession session, NativeTable table, String name) {
    this.session = session;
    this.table = table;
    this.layout = table.layout();
    this.writer = table.newWriter();
    this.ordinal = table.column(name);
  }

  /** Returns the raw value in the row of key {@code i}, which must exist. */
  public long of(PointBatch batch, int i) {
    session.row(batch, i, row);
    return of(row);
  }

  /** Returns the raw value in a row. */
  public long of(RowBuffer shown) {
    return layout.getLong(shown.bytes, shown.offset, ordinal);
  }

  /** Sets the value in the row of key {@code i}, which was read with a write lock. */
  public void set(PointBatch batch, int i, long raw) {
    session.row(batch, i, row);
    change(row, raw);
    session.ok(batch.update(i, image));
  }

  /** Sets the value in a row that was read singly, with a write lock. */
  public void set(RowBuffer shown, long raw) {
    change(shown, raw);
    session.ok(session.transaction.update(table.store(), session.key, image));
  }

  private void change(RowBuffer shown, long raw) {
    writer.beginFrom(shown.bytes, shown.offset, shown.length);
    writer.setLong(ordinal, raw);
    writer.finish(session.key, image);
  }

  /** Adds to the value in the row of key {@code i}, which was read with a write lock. */
  public void add(PointBatch batch, int i, long raw) {
    set(batch, i, of(batch, i) + raw);
  }
}
