package org.nelumbo.executor.txn;

/** Tests transactions on a table without a hash index. */
class TransactionByTreeTest extends TransactionTest {
  @Override
  boolean isHashed() {
    return false;
  }
}
