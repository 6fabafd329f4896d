package org.nelumbo.tatp.engine;

import org.nelumbo.executor.lock.LockTable;

/** Reads the access info of one type of a subscriber. Reads only; fails if there is none. */
final class GetAccessData extends RegisterTransaction {
  private final int data1;
  private final int data2;
  private long sum;

  GetAccessData(Register register) {
    super(register, true);
    this.data1 = register.accessInfos.column("data1");
    this.data2 = register.accessInfos.column("data2");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
    inputs.drawType();
  }

  @Override
  protected boolean run() {
    batch.clear();
    session.add(batch, register.accessInfos, LockTable.READ, inputs.subscriber(), inputs.type());
    session.execute(batch);
    if (!batch.found(0)) {
      return false;
    }
    batch.row(0, row);
    sum =
        register.accessInfos.layout().getLong(row.bytes, row.offset, data1)
            + register.accessInfos.layout().getLong(row.bytes, row.offset, data2);
    return true;
  }

  /** The sum of the numbers shown last. */
  long sum() {
    return sum;
  }
}
