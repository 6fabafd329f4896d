package org.nelumbo.kv.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.nativeapi.NativeTransaction;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.kv.terminal.KeyInput;

/** Reads the value of a key, and checks that it is consistent. */
final class ReadOne extends NativeTransaction {
  private final KeyInput input;
  private final KvRow row;

  ReadOne(NativeApiSession session, KeyInput input) {
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
    row.read(LockMode.READ);
    return true;
  }
}
