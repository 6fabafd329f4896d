package org.nelumbo.tatp.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.tatp.terminal.Inputs;

/** The subscriber register on a native session. */
final class Register {
  final NativeApiSession session;
  final Inputs inputs;
  final NativeTable subscribers;
  final NativeTable accessInfos;
  final NativeTable facilities;
  final NativeTable forwardings;
  private final IndexStore byTelephoneNumber;

  /** A batch for the rows of the current transaction. */
  final PointBatch batch;

  private final RangeScan scan;
  private final int number;

  Register(NativeApiSession session, Inputs inputs) {
    this.session = session;
    this.inputs = inputs;
    this.subscribers = session.table("subscriber");
    this.accessInfos = session.table("access_info");
    this.facilities = session.table("special_facility");
    this.forwardings = session.table("call_forwarding");
    this.byTelephoneNumber = subscribers.index("subscriber_by_number");
    this.batch = session.transaction.newPointBatch();
    this.scan = session.transaction.newRangeScan();
    this.number = subscribers.column("s_id");
  }

  /** Finds the subscriber of the input by telephone number, and copies the row; returns s_id. */
  int find(LockMode mode, RowBuffer out) {
    session.key.clear();
    byTelephoneNumber.encoder().format().appendObject(session.key, 0, inputs.telephoneNumber());
    session.ok(scan.openPrefix(byTelephoneNumber, session.key, ScanDirection.ASCENDING, mode, 1));
    if (!session.next(scan, out)) {
      throw new IllegalStateException("no subscriber " + inputs.telephoneNumber());
    }
    int found = (int) subscribers.layout().getLong(out.bytes, out.offset, number);
    scan.close();
    return found;
  }
}
