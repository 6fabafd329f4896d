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
    fate.doomIfLocked(shards);
    assertTrue(fate.isDoomed());
    assertTrue(fate.mustEnd());
    assertFalse(fate.hold());
  }

  @Test
  void shouldAwaitWhoHoldsOn() {
    assertTrue(fate.hold());
    assertFalse(fate.mustEnd());
    assertEquals(TransactionFate.AWAITED, fate.doom(7));
    assertTrue(fate.mustEnd());
    assertFalse(fate.isDoomed());
    assertTrue(fate.hold(), "its locks are still there");
    assertTrue(fate.isHolding(shards));
    fate.end();
    assertFalse(fate.isHolding(shards));
  }

  @Test
  void shouldNotDoomALaterTransaction() {
    fate.end();
    fate.begin(8);
    assertEquals(TransactionFate.ENDED, fate.doom(7));
    fate.doomIfLocked(shards);
    assertFalse(fate.isDoomed());
  }

  @Test
  void shouldDoomNobodyForShardsOfOthers() {
    BitSet others = new BitSet();
    others.set(101);
    fate.doomIfLocked(others);
    assertFalse(fate.isDoomed());
  }
}
