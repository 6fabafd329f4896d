package org.nelumbo.executor.lock.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class CommitLatchTest {
  private final CommitLatch latch = new CommitLatch();
  private final BitSet shards = new BitSet();

  CommitLatchTest() {
    shards.set(100);
    latch.begin(7);
    latch.note(100);
  }

  @Test
  void shouldNotCommitWhenRevoked() {
    latch.abortIfLocked(shards, 0);
    assertTrue(latch.isRevoked());
    assertTrue(latch.mustEnd());
    assertFalse(latch.hold());
  }

  @Test
  void shouldAwaitEndOfLatchedTransaction() {
    assertTrue(latch.hold());
    assertFalse(latch.mustEnd());
    assertEquals(CommitLatch.AWAITED, latch.requestAbort(7, 0));
    assertTrue(latch.mustEnd());
    assertFalse(latch.isRevoked());
    assertTrue(latch.hold(), "its locks are still there");
    assertTrue(latch.isHolding(shards));
    latch.end();
    assertFalse(latch.isHolding(shards));
  }

  @Test
  void shouldBeOverdueAfterLongWaitForItsEnd() {
    latch.hold();
    assertFalse(latch.isOverdue(() -> 1000, 10));
    latch.abortIfLocked(shards, 1000);
    latch.abortIfLocked(shards, 1005); // a second request does not restart the wait
    assertFalse(latch.isOverdue(() -> 1010, 10));
    assertTrue(latch.isOverdue(() -> 1011, 10));
    latch.end();
    assertFalse(latch.isOverdue(() -> 1011, 10));
  }

  @Test
  void shouldBeOverdueAtOnceWithoutItsLocks() {
    latch.abortIfLocked(shards, 1000);
    assertTrue(latch.isOverdue(() -> 1000, 10));
  }

  @Test
  void shouldNotAbortLaterTransaction() {
    latch.end();
    latch.begin(8);
    assertEquals(CommitLatch.ENDED, latch.requestAbort(7, 0));
    latch.abortIfLocked(shards, 0);
    assertFalse(latch.isRevoked());
  }

  @Test
  void shouldNotAbortForOtherShards() {
    BitSet others = new BitSet();
    others.set(101);
    latch.abortIfLocked(others, 0);
    assertFalse(latch.isRevoked());
  }
}
