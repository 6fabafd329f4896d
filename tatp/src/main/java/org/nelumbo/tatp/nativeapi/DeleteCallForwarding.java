package org.nelumbo.tatp.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/** Deletes a call forwarding. Rolls back if there is none with this start time. */
final class DeleteCallForwarding extends RegisterTransaction {
  DeleteCallForwarding(Register register) {
    super(register, false);
  }

  @Override
  public void draw() {
    inputs.drawTelephoneNumber();
    inputs.drawType();
    inputs.drawStartTime();
  }

  @Override
  protected boolean run() {
    int subscriber = register.find(LockMode.READ, row);
    return session.delete(register.forwardings, subscriber, inputs.type(), inputs.startTime());
  }
}
