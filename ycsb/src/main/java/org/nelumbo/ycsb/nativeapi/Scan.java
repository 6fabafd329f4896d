package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.ScanRange;

/** Reads several records in the order of their keys, starting at a given one. */
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

  /** Returns the number of records that the last run read. */
  int shown() {
    return shown;
  }

  /** Returns the total length of the fields that the last run read. */
  int length() {
    return length;
  }
}
