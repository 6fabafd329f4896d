package org.nelumbo.tatp.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/**
 * Reads the numbers to which a subscriber's calls are forwarded at some hour. Reads only. The
 * facility and the possible forwardings, which start at 0, 8 or 16, are read in one batch.
 */
final class GetNewDestination extends RegisterTransaction {
  private final int active;
  private final int endTime;
  private int found;

  GetNewDestination(Register register) {
    super(register, true);
    this.active = register.facilities.column("is_active");
    this.endTime = register.forwardings.column("end_time");
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
    inputs.drawType();
    inputs.drawTimes();
  }

  @Override
  protected boolean run() {
    int subscriber = inputs.subscriber();
    batch.clear();
    session.add(batch, register.facilities, LockMode.READ, subscriber, inputs.type());
    for (int start = 0; start <= inputs.startTime(); start += 8) {
      session.add(batch, register.forwardings, LockMode.READ, subscriber, inputs.type(), start);
    }
    session.execute(batch);
    found = 0;
    if (batch.found(0) && isActive()) {
      for (int i = 1; i < batch.size(); i++) {
        found += batch.found(i) && isMeant(i) ? 1 : 0;
      }
    }
    return found > 0;
  }

  private boolean isActive() {
    batch.row(0, row);
    return register.facilities.layout().getLong(row.bytes, row.offset, active) == 1;
  }

  private boolean isMeant(int i) {
    batch.row(i, row);
    long end = register.forwardings.layout().getLong(row.bytes, row.offset, endTime);
    return end > inputs.endTime();
  }

  /** Returns the number of destinations that the last run found. */
  int found() {
    return found;
  }
}
