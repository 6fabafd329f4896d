package org.nelumbo.ycsb.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/** Reads all fields of a record. */
final class Read extends TableTransaction {
  private int length;

  Read(UserTable table) {
    super(table, true);
  }

  @Override
  public void draw() {
    input.drawRecord();
  }

  @Override
  protected boolean run() {
    table.find(LockMode.READ);
    length = table.readFields();
    return true;
  }

  /** Returns the total length of the fields that the last run read. */
  int length() {
    return length;
  }
}
