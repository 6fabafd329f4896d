package org.nelumbo.executor.txn;

/** Tests batch inserts into a table without a hash index. */
class InsertBatchByTreeTest extends InsertBatchTest {
  @Override
  boolean isHashed() {
    return false;
  }

  @Override
  int roundTrips() {
    return 3; // CVTs and lookups; latch and read the leaf; write it
  }
}
