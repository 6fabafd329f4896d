package org.nelumbo.tatp.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.nativeapi.NativeTransaction;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.tatp.terminal.Inputs;

/** A transaction on the subscriber register. */
abstract class RegisterTransaction extends NativeTransaction {
  final Register register;
  final NativeApiSession session;
  final Inputs inputs;
  final PointBatch batch;
  final RowBuffer row = new RowBuffer();

  RegisterTransaction(Register register, boolean readOnly) {
    super(register.session, readOnly);
    this.register = register;
    this.session = register.session;
    this.inputs = register.inputs;
    this.batch = register.batch;
  }
}
