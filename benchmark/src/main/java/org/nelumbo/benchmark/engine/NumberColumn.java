package org.nelumbo.benchmark.engine;

import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.planner.NativeTable;

/**
 * A numeric column of rows that were read in a batch: reads it, and writes rows with nothing else
 * changed. One thread at a time.
 */
public final class NumberColumn {
  private final EngineSession session;
  private final RowLayout layout;
  private final RowWriter writer;
  private final int ordinal;
  private final RowBuffer row = new RowBuffer();
  private final RowBuffer image = new RowBuffer();

  /** A column of a table. */
  public NumberColumn(EngineSession session, NativeTable table, String name) {
    this.session = session;
    this.layout = table.layout();
    this.writer = table.newWriter();
    this.ordinal = table.column(name);
  }

  /** Its raw value in the row of key {@code i}, which must be there. */
  public long of(PointBatch batch, int i) {
    session.row(batch, i, row);
    return layout.getLong(row.bytes, row.offset, ordinal);
  }

  /** Writes the row of key {@code i}, which was read with a write lock. */
  public void set(PointBatch batch, int i, long raw) {
    session.row(batch, i, row);
    writer.beginFrom(row.bytes, row.offset, row.length);
    writer.setLong(ordinal, raw);
    writer.finish(session.key, image);
    session.ok(batch.update(i, image));
  }

  /** Adds to it in the row of key {@code i}, which was read with a write lock. */
  public void add(PointBatch batch, int i, long raw) {
    set(batch, i, of(batch, i) + raw);
  }
}
