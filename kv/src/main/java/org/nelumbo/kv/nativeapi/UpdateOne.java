package org.nelumbo.kv.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.nativeapi.NativeTransaction;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.kv.terminal.KeyInput;

/** Updates the value of a key. */
final class UpdateOne extends NativeTransaction {
  private final NativeApiSession session;
  private final KeyInput input;
  private final KvRow row;
  private final RowWriter writer;

  UpdateOne(NativeApiSession session, KeyInput input) {
    super(session, false);
    this.session = session;
    this.input = input;
    this.row = new KvRow(session, input);
    this.writer = row.table.newWriter();
  }

  @Override
  public void draw() {
    input.draw();
  }

  @Override
  protected boolean run() {
    row.read(LockMode.WRITE);
    long counter = row.counter(0) + 1;
    writer.beginFrom(row.row.bytes, row.row.offset, row.row.length);
    for (int column : row.counters) {
      writer.setLong(column, counter);
    }
    writer.finish(session.key, image);
    session.ok(session.transaction.update(row.table.store(), session.key, image));
    return true;
  }
}
