package org.nelumbo.kv.engine;

import org.nelumbo.benchmark.engine.EngineSession;
import org.nelumbo.benchmark.engine.EngineTransaction;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.kv.transaction.KeyInput;

/** Reads the value of a key, and looks whether it is whole. */
final class ReadOne extends EngineTransaction {
  private final KeyInput input;
  private final KvRow row;

  ReadOne(EngineSession session, KeyInput input) {
    super(session, true);
    this.input = input;
    this.row = new KvRow(session, input);
  }

  @Override
  public void draw() {
    input.draw();
  }

  @Override
  protected boolean run() {
    row.read(LockTable.READ);
    return true;
  }
}
