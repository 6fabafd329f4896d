package org.nelumbo.executor.txn;

/** Tests batch inserts into a table without a hash index on a remote fabric. */
class RemoteInsertBatchByTreeTest extends RemoteInsertBatchTest {
  @Override
  boolean isHashed() {
    return false;
  }
}
