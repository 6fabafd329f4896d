package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.lock.LockMode.INSERT;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.lock.LockResult.CHANGING;
import static org.nelumbo.executor.lock.LockResult.DIE;
import static org.nelumbo.executor.lock.LockResult.GRANTED;
import static org.nelumbo.executor.lock.LockResult.WAIT;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;

class LockTableTest {
  /** The modes that consist of one lock. */
  private static final List<LockMode> SIMPLE = List.of(READ, WRITE, LockMode.INSERT);

  private static final long LEAF = 0x12340;

  private static final long KEY = 77;
  private static final long OLD = 10;
  private static final long YOUNG = 20;

  private final LockTable table = new LockTable(new SystemEnvironment(), 1024);

  @AfterEach
  void verify() {
    table.verify();
  }

  @Test
  void shouldMixKeysByABijection() {
    for (long mixed : new long[] {0, 1, -1, 255, 1L << 32, 0x1234_5678_9abc_def0L}) {
      assertEquals(mixed, LockWord.mix(Keys.mixedTo(mixed)));
    }
  }

  @Test
  void shouldShareOnlyEqualSharedModes() {
    for (LockMode held : SIMPLE) {
      for (LockMode wanted : SIMPLE) {
        assertEquals(GRANTED, table.tryAcquire(KEY, held, OLD));
        boolean shared = held == wanted && held != WRITE;
        LockResult result = table.tryAcquire(KEY, wanted, YOUNG);
        assertEquals(shared ? GRANTED : DIE, result, held + " then " + wanted);
        if (shared) {
          table.release(KEY, wanted);
        }
        table.release(KEY, held);
        assertEquals(0, table.heldCount());
      }
    }
  }

  @Test
  void shouldExcludeOtherChangesOfALeaf() {
    long change = LeafKeys.change(LEAF);
    assertEquals(GRANTED, table.tryAcquire(LEAF, LockMode.CHANGE, OLD));
    assertEquals(CHANGING, table.tryAcquire(LEAF, LockMode.CHANGE, YOUNG));
    assertEquals(DIE, table.tryAcquire(change, WRITE, YOUNG));
    assertEquals(DIE, table.tryAcquire(LEAF, READ, YOUNG));
    assertEquals(2, table.heldCount());
    table.release(LEAF, LockMode.CHANGE);
    assertEquals(0, table.heldCount());
  }

  @Test
  void shouldLetEntriesBeRemovedBesideScanners() {
    long change = LeafKeys.change(LEAF);
    assertEquals(GRANTED, table.tryAcquire(LEAF, READ, OLD));
    assertEquals(GRANTED, table.tryAcquire(change, WRITE, YOUNG));
    assertEquals(GRANTED, table.tryAcquire(LEAF, READ, YOUNG));
    assertEquals(DIE, table.tryAcquire(LEAF, LockMode.CHANGE, YOUNG));
    table.release(change, WRITE);
    assertEquals(DIE, table.tryAcquire(LEAF, LockMode.CHANGE, YOUNG));
    table.release(LEAF, READ);
    table.release(LEAF, READ);
    assertEquals(GRANTED, table.tryAcquire(LEAF, LockMode.CHANGE, YOUNG));
  }

  @Test
  void shouldLetOnlyTheOlderWait() {
    table.tryAcquire(KEY, WRITE, YOUNG);
    assertEquals(WAIT, table.tryAcquire(KEY, READ, OLD));
    assertEquals(DIE, table.tryAcquire(KEY, READ, YOUNG));
    assertEquals(DIE, table.tryAcquire(KEY, READ, YOUNG + 1));
    assertEquals(YOUNG, table.holderPriority(KEY));
  }

  @Test
  void shouldComparePrioritiesAcrossTheWrap() {
    table.tryAcquire(KEY, WRITE, Long.MIN_VALUE + 5);
    assertEquals(WAIT, table.tryAcquire(KEY, READ, Long.MAX_VALUE - 5));
  }

  @Test
  void shouldWaitForTheYoungestOnlyIfOlderThanAll() {
    table.tryAcquire(KEY, READ, YOUNG);
    table.tryAcquire(KEY, READ, OLD);
    assertEquals(DIE, table.tryAcquire(KEY, WRITE, OLD + 5));
    assertEquals(WAIT, table.tryAcquire(KEY, WRITE, OLD - 5));
  }

  @Test
  void shouldForgetPrioritiesWhenALockIsFree() {
    table.tryAcquire(KEY, READ, OLD);
    table.release(KEY, READ);
    table.tryAcquire(KEY, READ, YOUNG);
    assertEquals(WAIT, table.tryAcquire(KEY, WRITE, OLD + 1));
  }

  @Test
  void shouldUpgradeTheOnlyReader() {
    table.tryAcquire(KEY, READ, OLD);
    assertEquals(GRANTED, table.tryUpgrade(KEY, OLD));
    assertEquals(DIE, table.tryAcquire(KEY, READ, YOUNG));
    table.release(KEY, WRITE);
    assertEquals(GRANTED, table.tryAcquire(KEY, READ, YOUNG));
  }

  @Test
  void shouldApplyWaitDieToConcurrentUpgrades() {
    table.tryAcquire(KEY, READ, OLD);
    table.tryAcquire(KEY, READ, YOUNG);
    assertEquals(DIE, table.tryUpgrade(KEY, YOUNG));
    assertEquals(WAIT, table.tryUpgrade(KEY, OLD));
    table.release(KEY, READ);
    assertEquals(GRANTED, table.tryUpgrade(KEY, OLD));
  }

  @Test
  void shouldRefuseTheReaderAndInserterTooMany() {
    for (LockMode mode : List.of(READ, INSERT)) {
      for (int i = 0; i < 127; i++) {
        assertEquals(GRANTED, table.tryAcquire(KEY, mode, OLD), "holder " + i);
      }
      assertEquals(DIE, table.tryAcquire(KEY, mode, YOUNG));
      for (int i = 0; i < 127; i++) {
        table.release(KEY, mode);
      }
      assertEquals(0, table.heldCount());
    }
  }

  @Test
  void shouldRejectReleaseAndUpgradeOfModeNotHeld() {
    assertThrows(IllegalStateException.class, () -> table.release(KEY, READ));
    assertThrows(IllegalStateException.class, () -> table.tryUpgrade(KEY, OLD));
    for (LockMode held : SIMPLE) {
      table.tryAcquire(KEY, held, OLD);
      for (LockMode other : SIMPLE) {
        if (other != held) {
          assertThrows(IllegalStateException.class, () -> table.release(KEY, other));
        }
      }
      assertEquals(1, table.heldCount());
      table.release(KEY, held);
    }
    table.tryAcquire(KEY, WRITE, OLD);
    assertThrows(IllegalStateException.class, () -> table.tryUpgrade(KEY, OLD));
  }

  @Test
  void shouldTreatTwoKeysWithOneFingerprintAsOneLock() {
    LockTable small = new LockTable(new SystemEnvironment(), 2);
    long one = Keys.of(0);
    long other = Keys.of(1);
    long stranger = Keys.of(2);
    assertNotEquals(one, other);
    assertEquals(small.identity(one), small.identity(other));
    assertNotEquals(small.identity(one), small.identity(stranger));
    assertEquals(GRANTED, small.tryAcquire(one, WRITE, OLD));
    assertEquals(DIE, small.tryAcquire(other, WRITE, YOUNG));
    assertEquals(GRANTED, small.tryAcquire(stranger, WRITE, YOUNG));
    // The identity shows a transaction that needs both keys that it already holds the lock.
    small.release(other, WRITE);
    assertEquals(1, small.heldCount());
    small.verify();
  }

  @Test
  void shouldDistinguishAllKeysOfLargeTable() {
    Set<Long> identities = new HashSet<>();
    for (long mixed = 0; mixed < 2048; mixed++) {
      identities.add(table.identity(Keys.mixedTo(mixed)));
    }
    assertEquals(2048, identities.size(), "fingerprints 0 and 1 are told apart by their buckets");
    for (long mixed = 0; mixed < 2048; mixed++) {
      assertEquals(GRANTED, table.tryAcquire(Keys.mixedTo(mixed), WRITE, OLD));
    }
    assertEquals(2048, table.heldCount());
  }

  @Test
  void shouldHoldMoreLocksThanBucketSlots() {
    LockTable single = new LockTable(new SystemEnvironment(), 1);
    for (int i = 0; i < 2000; i++) {
      assertEquals(GRANTED, single.tryAcquire(Keys.of(2 * i), LockMode.of(i % 3 + 1), OLD));
    }
    single.verify();
    assertEquals(2000, single.heldCount());
    for (int i = 0; i < 2000; i++) {
      assertEquals(DIE, single.tryAcquire(Keys.of(2 * i), LockMode.of((i + 1) % 3 + 1), YOUNG));
      assertEquals(OLD, single.holderPriority(Keys.of(2 * i)));
    }
    for (int i = 1999; i >= 0; i -= 2) {
      single.release(Keys.of(2 * i), LockMode.of(i % 3 + 1));
      single.verify();
    }
    for (int i = 0; i < 2000; i += 2) {
      single.release(Keys.of(2 * i), LockMode.of(i % 3 + 1));
    }
    assertEquals(0, single.heldCount());
    single.verify();
    assertThrows(IllegalStateException.class, () -> single.release(KEY, READ));
  }

  @Test
  void shouldRefuseBucketCountsThatAreNoPowerOfTwo() {
    for (int buckets : new int[] {0, 3, -1, Integer.MIN_VALUE, 1 << 25}) {
      assertThrows(
          IllegalArgumentException.class, () -> new LockTable(new SystemEnvironment(), buckets));
    }
  }

  /**
   * The keys of held locks can be recovered from the words of the table and of the overflow map.
   */
  @Test
  void shouldRecoverKeysOfHeldLocks() {
    long[] keys = new long[40];
    for (int i = 0; i < keys.length; i++) {
      // All keys are in one bucket, so that most are in the overflow map.
      keys[i] = Keys.mixedTo(((long) i * 0x1_0001 << 10) | 5);
      assertEquals(GRANTED, table.tryAcquire(keys[i], LockMode.of(i % 3 + 1), OLD));
    }
    for (long key : keys) {
      assertTrue(table.holdsAny(held -> held == key));
    }
    assertFalse(table.holdsAny(held -> held == 12345));
    for (int i = 0; i < keys.length; i++) {
      long key = keys[i];
      table.release(key, LockMode.of(i % 3 + 1));
      assertFalse(table.holdsAny(held -> held == key));
    }
  }
}
