package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Inserts a new record. */
final class Insert extends TableTransaction {
  private final RowWriter writer;

  Insert(UserTable table) {
    super(table, false);
    this.writer = table.table.newWriter();
  }

  @Override
  public void draw() {
    input.drawNewRecord();
  }

  @Override
  protected boolean run() {
    writer.begin();
    writer.setObject(table.key, input.key());
    for (int i = 0; i < RecordInput.FIELDS; i++) {
      writer.setObject(table.fields[i], input.value(i));
    }
    writer.finish(table.session.key, image);
    table.session.ok(
        table.session.transaction.insert(table.table.store(), table.session.key, image));
    return true;
  }

  @Override
  protected void committed() {
    input.inserted();
  }
}
