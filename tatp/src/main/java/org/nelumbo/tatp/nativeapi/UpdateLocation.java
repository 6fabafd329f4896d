package org.nelumbo.tatp.nativeapi;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowWriter;

/** Writes the location of a subscriber, which is found by telephone number. Always succeeds. */
final class UpdateLocation extends RegisterTransaction {
  private final RowWriter writer;
  private final int location;

  UpdateLocation(Register register) {
    super(register, false);
    this.writer = register.subscribers.newWriter();
    this.location = register.subscribers.column("vlr_location");
  }

  @Override
  public void draw() {
    inputs.drawTelephoneNumber();
    inputs.drawLocation();
  }

  @Override
  protected boolean run() {
    register.find(LockMode.WRITE, row);
    writer.beginFrom(row.bytes, row.offset, row.length);
    writer.setLong(location, inputs.location());
    writer.finish(session.key, image);
    session.ok(session.transaction.update(register.subscribers.store(), session.key, image));
    return true;
  }
}
