package org.nelumbo.executor.txn;

/** Tests batches of rows of tables without a hash index. */
class PointBatchByTreeTest extends PointBatchTest {
  @Override
  boolean isHashed() {
    return false;
  }
}
