package org.nelumbo.executor.insert;

/** Tests the rollback of rows of tables without a hash index. */
class InsertUndoByTreeTest extends InsertUndoTest {
  @Override
  boolean isHashed() {
    return false;
  }
}
