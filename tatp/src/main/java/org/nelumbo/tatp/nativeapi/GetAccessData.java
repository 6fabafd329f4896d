package org.nelumbo.tatp.nativeapi;

import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.lock.LockMode;

/** Reads the access info of one type of a subscriber. Reads only. Rolls back if there is none. */
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
    NativeTable table = register.accessInfos;
    if (!session.find(table, LockMode.READ, inputs.subscriber(), inputs.type(), row)) {
      return false;
    }
    sum =
        table.layout().getLong(row.bytes, row.offset, data1)
            + table.layout().getLong(row.bytes, row.offset, data2);
    return true;
  }

  /** Returns the sum of the numbers that the last run read. */
  long sum() {
    return sum;
  }
}
