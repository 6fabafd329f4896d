package org.nelumbo.tatp.nativeapi;

import org.nelumbo.benchmark.nativeapi.NumberColumn;
import org.nelumbo.executor.lock.LockMode;

/**
 * Writes a bit of a subscriber and a byte of one of its special facilities. Rolls back if the
 * subscriber does not have the facility.
 */
final class UpdateSubscriberData extends RegisterTransaction {
  private final NumberColumn bit;
  private final NumberColumn data;

  UpdateSubscriberData(Register register) {
    super(register, false);
    this.bit = new NumberColumn(register.session, register.subscribers, "bit_1");
    this.data = new NumberColumn(register.session, register.facilities, "data_a");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
    inputs.drawType();
    inputs.drawBitAndData();
  }

  @Override
  protected boolean run() {
    int subscriber = inputs.subscriber();
    batch.clear();
    session.add(batch, register.subscribers, LockMode.WRITE, subscriber);
    session.add(batch, register.facilities, LockMode.WRITE, subscriber, inputs.type());
    session.execute(batch);
    if (!batch.found(1)) {
      return false;
    }
    bit.set(batch, 0, inputs.bit());
    data.set(batch, 1, inputs.data());
    return true;
  }
}
