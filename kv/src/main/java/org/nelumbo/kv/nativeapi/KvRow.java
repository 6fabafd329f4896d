package org.nelumbo.kv.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.kv.terminal.KeyInput;

/** The row that a transaction reads, and the ordinals of its columns. */
final class KvRow {
  final NativeTable table;
  final RowBuffer row = new RowBuffer();

  /** Ordinals of the counter and its copies. */
  final int[] counters;

  private final NativeApiSession session;
  private final KeyInput input;
  private final int owner;

  KvRow(NativeApiSession session, KeyInput input) {
    this.session = session;
    this.input = input;
    this.table = session.table("kv");
    this.owner = table.column("owner");
    this.counters =
        new int[] {
          table.column("counter"),
          table.column("copy1"),
          table.column("copy2"),
          table.column("copy3")
        };
  }

  /**
   * Locks and reads the row of the input's key.
   *
   * @throws IllegalStateException if its value is inconsistent
   */
  void read(LockMode mode) {
    session.get(table, mode, input.key(), row);
    String mistake = input.mistake(column(owner), counter(0), counter(1), counter(2), counter(3));
    if (mistake != null) {
      throw new IllegalStateException(mistake);
    }
  }

  /** Returns the counter (0) or one of its copies (1 to 3). */
  long counter(int i) {
    return column(counters[i]);
  }

  private long column(int ordinal) {
    return table.layout().getLong(row.bytes, row.offset, ordinal);
  }
}
