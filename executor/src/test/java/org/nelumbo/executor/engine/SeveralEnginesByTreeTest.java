package org.nelumbo.executor.engine;

/** Tests several engines on a table without a hash index. */
class SeveralEnginesByTreeTest extends SeveralEnginesTest {
  @Override
  boolean isHashed() {
    return false;
  }
}
