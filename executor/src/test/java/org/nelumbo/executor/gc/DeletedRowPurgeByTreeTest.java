package org.nelumbo.executor.gc;

/** Tests the removal of deleted rows of a table without a hash index. */
class DeletedRowPurgeByTreeTest extends DeletedRowPurgeTest {
  @Override
  boolean isHashed() {
    return false;
  }

  /** The entries of the primary index are removed after those of the other indexes. */
  @Override
  int purgeRoundTrips() {
    return 7;
  }
}
