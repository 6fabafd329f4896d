package org.nelumbo.executor.lock.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class TransactionFateTest {
  private final TransactionFate fate = new TransactionFate();
  private final BitSet shards = new BitSet();

  TransactionFateTest() {
    shards.set(100);
    fate.begin(7);
    fate.note(100);
  }

  @Test
  void shouldNotCommitWhenDoomed() {
    fate.doomIfLocked(shards, 0);
    assertTrue(fate.isDoomed());
    assertTrue(fate.mustEnd());
    assertFalse(fate.hold());
  }

  @Test
  void shouldAwaitWhoHoldsOn() {
    assertTrue(fate.hold());
    assertFalse(fate.mustEnd());
    assertEquals(TransactionFate.AWAITED, fate.doom(7, 0));
    assertTrue(fate.mustEnd());
    assertFalse(fate.isDoomed());
    assertTrue(fate.hold(), "its locks are still there");
    assertTrue(fate.isHolding(shards));
    fate.end();
    assertFalse(fate.isHolding(shards));
  }

  @Test
  void shouldBeOverdueOnceOthersHaveWaitedForLong() {
    fate.hold();
    assertFalse(fate.isOverdue(() -> 1000, 10));
    fate.doomIfLocked(shards, 1000);
    fate.doomIfLocked(shards, 1005); // a second request does not restart the wait
    assertFalse(fate.isOverdue(() -> 1010, 10));
    assertTrue(fate.isOverdue(() -> 1011, 10));
    fate.end();
    assertFalse(fate.isOverdue(() -> 1011, 10));
  }

  @Test
  void shouldBeOverdueAtOnceWithoutItsLocks() {
    fate.doomIfLocked(shards, 1000);
    assertTrue(fate.isOverdue(() -> 1000, 10));
  }

  @Test
  void shouldNotDoomALaterTransaction() {
    fate.end();
    fate.begin(8);
    assertEquals(TransactionFate.ENDED, fate.doom(7, 0));
    fate.doomIfLocked(shards, 0);
    assertFalse(fate.isDoomed());
  }

  @Test
  void shouldDoomNobodyForShardsOfOthers() {
    BitSet others = new BitSet();
    others.set(101);
    fate.doomIfLocked(others, 0);
    assertFalse(fate.isDoomed());
  }
}
