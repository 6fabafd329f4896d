package org.nelumbo.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;

class VerifyingLockTableTest {
  private static final long KEY = 77;
  private static final long OLD = 1;
  private static final long YOUNG = 2;

  private final VerifyingLockTable locks = new VerifyingLockTable(new SystemEnvironment(), 4);

  @Test
  void shouldAcceptCorrectOperations() {
    assertEquals(LockResult.GRANTED, locks.tryAcquire(KEY, LockMode.READ, OLD));
    assertEquals(LockResult.GRANTED, locks.tryAcquire(KEY, LockMode.READ, YOUNG));
    assertEquals(LockResult.DIE, locks.tryAcquire(KEY, LockMode.WRITE, YOUNG));
    locks.release(KEY, LockMode.READ);
    assertEquals(LockResult.GRANTED, locks.tryUpgrade(KEY, OLD));
    locks.release(KEY, LockMode.WRITE);
    assertEquals(0, locks.heldCount());
  }

  /**
   * The release of a lock in another mode than that of its acquisition is detected, before the
   * model or by it.
   */
  @Test
  void shouldDetectReleaseOfUnheldLock() {
    assertEquals(LockResult.GRANTED, locks.tryAcquire(KEY, LockMode.WRITE, OLD));
    assertThrows(IllegalStateException.class, () -> locks.release(KEY, LockMode.READ));
    assertThrows(IllegalStateException.class, () -> locks.release(KEY + 1, LockMode.WRITE));
  }

  @Test
  void shouldFollowLocksThatOverflowTheirBucket() {
    for (long key = 0; key < 100; key++) {
      assertEquals(LockResult.GRANTED, locks.tryAcquire(key << 32, LockMode.WRITE, OLD));
    }
    locks.verify();
    for (long key = 0; key < 100; key++) {
      locks.release(key << 32, LockMode.WRITE);
    }
    locks.verify();
    assertEquals(0, locks.heldCount());
  }
}
