package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;

/** Reads some records from one on, in the order of their keys. */
final class Scan extends TableTransaction {
  private final RangeScan scan;
  private final ScanRange range = new ScanRange();
  private int shown;
  private int length;

  Scan(UserTable table) {
    super(table, true);
    this.scan = table.session.transaction.newRangeScan();
  }

  @Override
  public void draw() {
    input.drawRecord();
    input.drawScanLength();
  }

  @Override
  protected boolean run() {
    NativeApiSession session = table.session;
    session.key.clear();
    table.table.keyFormat().appendObject(session.key, 0, input.key());
    session.ok(
        scan.open(range.from(table.table.primary(), session.key).rowsHint(input.scanLength())));
    shown = 0;
    length = 0;
    while (shown < input.scanLength() && session.next(scan, table.row)) {
      length += table.readFields();
      shown++;
    }
    scan.close();
    return true;
  }

  /** Records read last. */
  int shown() {
    return shown;
  }

  /** Length of what was read last. */
  int length() {
    return length;
  }
}
