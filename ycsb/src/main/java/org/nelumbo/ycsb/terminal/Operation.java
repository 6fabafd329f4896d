package org.nelumbo.ycsb.terminal;

/** YCSB's operations, each a transaction of its own. */
public enum Operation {
  READ,
  UPDATE,
  SCAN,
  INSERT,
  READ_MODIFY_WRITE
}
