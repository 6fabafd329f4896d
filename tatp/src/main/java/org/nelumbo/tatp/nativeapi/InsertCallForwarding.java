package org.nelumbo.tatp.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession.Way;
import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.RangeScan;

/**
 * Inserts a call forwarding of a subscriber. Rolls back if there is one with this start time, or if
 * the subscriber does not have the facility. Reading the facilities replaces the foreign key, which
 * only SQL checks.
 */
final class InsertCallForwarding extends RegisterTransaction {
  /** Scan of the facilities of a subscriber, which are at most four. */
  private static final Way FACILITIES = new Way(true, LockMode.READ, 4);

  private final RangeScan scan;
  private final RowWriter writer;
  private final int facilityType;
  private final int subscriberColumn;
  private final int typeColumn;
  private final int startColumn;
  private final int endColumn;
  private final int destinationColumn;

  InsertCallForwarding(Register register) {
    super(register, false);
    this.scan = session.transaction.newRangeScan();
    NativeTable table = register.forwardings;
    this.writer = table.newWriter();
    this.facilityType = register.facilities.column("sf_type");
    this.subscriberColumn = table.column("s_id");
    this.typeColumn = table.column("sf_type");
    this.startColumn = table.column("start_time");
    this.endColumn = table.column("end_time");
    this.destinationColumn = table.column("numberx");
  }

  @Override
  public void draw() {
    inputs.drawTelephoneNumber();
    inputs.drawType();
    inputs.drawTimes();
    inputs.drawDestination();
  }

  @Override
  protected boolean run() {
    int subscriber = register.find(LockMode.READ, row);
    return hasFacility(subscriber) && insert(subscriber);
  }

  private boolean hasFacility(int subscriber) {
    NativeTable table = register.facilities;
    session.scan(scan, table.primary(), table.keyFormat(), subscriber, FACILITIES);
    boolean has = false;
    while (session.next(scan, row)) {
      has |= table.layout().getLong(row.bytes, row.offset, facilityType) == inputs.type();
    }
    return has;
  }

  private boolean insert(int subscriber) {
    writer.begin();
    writer.setLong(subscriberColumn, subscriber);
    writer.setLong(typeColumn, inputs.type());
    writer.setLong(startColumn, inputs.startTime());
    writer.setLong(endColumn, inputs.endTime());
    writer.setObject(destinationColumn, inputs.destination());
    writer.finish(session.key, image);
    Outcome status = session.transaction.insert(register.forwardings.store(), session.key, image);
    if (status == Outcome.DUPLICATE) {
      return false;
    }
    session.ok(status);
    return true;
  }
}
