package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** A transaction on the table. */
abstract class TableTransaction extends NativeTransaction {
  final UserTable table;
  final RecordInput input;

  TableTransaction(UserTable table, boolean readOnly) {
    super(table.session, readOnly);
    this.table = table;
    this.input = table.input;
  }
}
