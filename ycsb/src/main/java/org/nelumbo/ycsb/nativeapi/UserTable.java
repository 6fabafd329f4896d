package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.ycsb.terminal.RecordInput;

/** The table on a native session. */
final class UserTable {
  final NativeApiSession session;
  final RecordInput input;
  final NativeTable table;
  final RowBuffer row = new RowBuffer();
  final int key;
  final int[] fields = new int[RecordInput.FIELDS];

  UserTable(NativeApiSession session, RecordInput input) {
    this.session = session;
    this.input = input;
    this.table = session.table("usertable");
    this.key = table.column("ycsb_key");
    for (int i = 0; i < fields.length; i++) {
      fields[i] = table.column("field" + i);
    }
  }

  /** Locks and reads the record of the input. */
  void find(LockMode mode) {
    session.get(table, mode, input.key(), row);
  }

  /** Creates strings of all fields of the row; returns their total length. */
  int readFields() {
    int length = 0;
    for (int field : fields) {
      length += table.layout().getString(row.bytes, row.offset, field).length();
    }
    return length;
  }
}
