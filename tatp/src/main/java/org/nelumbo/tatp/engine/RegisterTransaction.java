package org.nelumbo.tatp.engine;

import org.nelumbo.benchmark.engine.EngineSession;
import org.nelumbo.benchmark.engine.EngineTransaction;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.tatp.terminal.Inputs;

/** A transaction on the subscriber register. */
abstract class RegisterTransaction extends EngineTransaction {
  final Register register;
  final EngineSession session;
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
