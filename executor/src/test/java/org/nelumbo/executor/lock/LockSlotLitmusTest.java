package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.lock.LockMode.INSERT;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.lock.LockResult.DIE;
import static org.nelumbo.executor.lock.LockResult.GRANTED;
import static org.nelumbo.executor.lock.LockResult.WAIT;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.litmus.Litmus;

/** Tests two concurrent requests for one free lock; each outcome is named. */
@Timeout(120)
class LockSlotLitmusTest {
  private static final int BATCHES = 300;

  /** Number of increments of each actor in a cell. */
  private static final int INCREMENTS = 10;

  private static final int SPINS = 10;

  private final LockResult[] first = new LockResult[Litmus.CELLS];
  private final LockResult[] second = new LockResult[Litmus.CELLS];
  private final long[] data = new long[Litmus.CELLS];
  private final long[] seen = new long[Litmus.CELLS];

  private LockTable table;

  private Map<String, Integer> run(LockMode firstMode, LockMode secondMode) throws Exception {
    return new Litmus(() -> table = new LockTable(new SystemEnvironment(), 128), this::outcome)
        .actor(cell -> first[cell] = table.tryAcquire(Keys.of(2 * cell), firstMode, 1))
        .actor(cell -> second[cell] = acquire(Keys.of(2 * cell + 1), secondMode, 2))
        .run(BATCHES);
  }

  private Map<String, Integer> share(LockMode mode) throws Exception {
    return new Litmus(() -> table = new LockTable(new SystemEnvironment(), 128), this::outcome)
        .actor(cell -> first[cell] = acquire(Keys.of(2 * cell), mode, 1))
        .actor(cell -> second[cell] = acquire(Keys.of(2 * cell + 1), mode, 2))
        .run(BATCHES);
  }

  /**
   * Requests a lock until the result is not WAIT. The caller is the younger requester, since the
   * other one keeps its lock, or one that can share the lock. For it, WAIT is temporary: the other
   * requester is suspended between claiming its slot and publishing the grant.
   */
  private LockResult acquire(long key, LockMode mode, long priority) {
    LockResult result = table.tryAcquire(key, mode, priority);
    while (result == WAIT) {
      Thread.yield();
      result = table.tryAcquire(key, mode, priority);
    }
    return result;
  }

  private String outcome(int cell) {
    return name(first[cell]) + ", " + name(second[cell]);
  }

  private static String name(LockResult result) {
    return switch (result) {
      case GRANTED -> "granted";
      case WAIT -> "wait";
      case DIE -> "die";
      default -> "unknown result=" + result;
    };
  }

  private static void assertOnly(Map<String, Integer> outcomes, String... allowed) {
    Set<String> unexpected = new TreeSet<>(outcomes.keySet());
    unexpected.removeAll(Set.of(allowed));
    assertEquals(Set.of(), unexpected, outcomes::toString);
  }

  @Test
  void shouldGrantAFreeLockToExactlyOneWriter() throws Exception {
    // The first is older and waits for the second; the second dies because of the first.
    assertOnly(run(WRITE, WRITE), "granted, die", "wait, granted");
    assertOnly(run(READ, WRITE), "granted, die", "wait, granted");
    assertOnly(run(INSERT, READ), "granted, die", "wait, granted");
  }

  @Test
  void shouldGrantAFreeLockToBothSharers() throws Exception {
    assertOnly(share(READ), "granted, granted");
    assertOnly(share(INSERT), "granted, granted");
  }

  @Test
  void shouldNotExposePartialWritesOfLockHolder() throws Exception {
    Litmus litmus =
        new Litmus(
                () -> {
                  table = new LockTable(new SystemEnvironment(), 128);
                  Arrays.fill(data, 0);
                },
                cell -> "read " + seen[cell])
            .actor(
                cell -> {
                  long key = Keys.of(2 * cell);
                  if (table.tryAcquire(key, WRITE, 1) == GRANTED) {
                    data[cell] = 1;
                    data[cell] = 2;
                    table.release(key, WRITE);
                  }
                })
            .actor(
                cell -> {
                  long key = Keys.of(2 * cell);
                  seen[cell] = -1; // not granted
                  if (table.tryAcquire(key, READ, 2) == GRANTED) {
                    seen[cell] = data[cell];
                    table.release(key, READ);
                  }
                });
    assertOnly(litmus.run(BATCHES), "read -1", "read 0", "read 2");
  }

  /** If a holder did not see the write of the holder before, an increment would be lost. */
  @Test
  void shouldPublishWritesToNextLockHolder() throws Exception {
    Litmus litmus =
        new Litmus(
                () -> {
                  table = new LockTable(new SystemEnvironment(), 128);
                  Arrays.fill(data, 0);
                },
                cell -> "increments " + data[cell])
            .actor(cell -> increment(cell, 1))
            .actor(cell -> increment(cell, 2));
    assertOnly(litmus.run(BATCHES), "increments " + 2 * INCREMENTS);
  }

  private void increment(int cell, long priority) {
    long key = Keys.of(2 * cell);
    for (int i = 0; i < INCREMENTS; i++) {
      while (table.tryAcquire(key, WRITE, priority) != GRANTED) {
        Thread.onSpinWait();
      }
      long before = data[cell];
      for (int spin = 0; spin < SPINS; spin++) {
        Thread.onSpinWait(); // the other actor requests the lock meanwhile
      }
      data[cell] = before + 1;
      table.release(key, WRITE);
    }
  }
}
