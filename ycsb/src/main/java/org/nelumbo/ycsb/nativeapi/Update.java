package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowWriter;

/** Writes one field of a record, after reading all fields if it is a read-modify-write. */
final class Update extends TableTransaction {
  private final boolean reads;
  private final RowWriter writer;
  private int length;

  Update(UserTable table, boolean reads) {
    super(table, false);
    this.reads = reads;
    this.writer = table.table.newWriter();
  }

  @Override
  public void draw() {
    input.drawRecord();
    input.drawField();
  }

  @Override
  protected boolean run() {
    table.find(LockMode.WRITE);
    if (reads) {
      length = table.readFields();
    }
    writer.beginFrom(table.row.bytes, table.row.offset, table.row.length);
    writer.setObject(table.fields[input.field()], input.value(input.field()));
    writer.finish(table.session.key, image);
    table.session.ok(
        table.session.transaction.update(table.table.store(), table.session.key, image));
    return true;
  }

  /** Returns the total length of the fields that the last run read. */
  int length() {
    return length;
  }
}
