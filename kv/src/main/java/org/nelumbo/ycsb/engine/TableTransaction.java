package org.nelumbo.ycsb.engine;

import org.nelumbo.benchmark.engine.EngineTransaction;
import org.nelumbo.ycsb.terminal.RecordInput;

/** A transaction on the table. */
abstract class TableTransaction extends EngineTransaction {
  final UserTable table;
  final RecordInput input;

  TableTransaction(UserTable table, boolean readOnly) {
    super(table.session, readOnly);
    this.table = table;
    this.input = table.input;
  }
}
