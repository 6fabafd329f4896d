package org.nelumbo.executor.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.lock.LockResult.DIE;
import static org.nelumbo.executor.lock.LockResult.GRANTED;
import static org.nelumbo.executor.lock.LockResult.WAIT;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.nelumbo.dm.env.SystemEnvironment;

/**
 * Compares random operations on a lock table with a map of lists: all modes, upgrades, keys with
 * the same fingerprint, overflowing buckets, and full counters.
 */
class LockTableModelTest {
  private static final int KEYS = 40;

  private record Holder(long key, long priority) {}

  private static final class Lock {
    LockMode mode;
    long bound;
    final List<Holder> holders = new ArrayList<>();
  }

  private final Map<Long, Lock> model = new HashMap<>();
  private LockTable table;
  private Random random;

  @Property(seed = "1", tries = 300)
  void shouldAgreeWithAMap(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 9) int bucketsLog,
      @ForAll boolean crowd) {
    table = new LockTable(new SystemEnvironment(), 1 << bucketsLog);
    random = new Random(seed);
    model.clear();
    int keys = crowd ? 2 : KEYS;
    for (int step = 0; step < 600; step++) {
      long key = Keys.of(random.nextInt(keys));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> release(key);
        case 3 -> upgrade(key);
        default ->
            acquire(key, crowd ? READ : LockMode.of(1 + random.nextInt(3)), random.nextInt(50));
      }
      if (step % 20 == 0) {
        table.verify();
        assertEquals(model.size(), table.heldCount());
      }
    }
    table.verify();
  }

  private void acquire(long key, LockMode mode, long priority) {
    Lock lock = model.get(table.identity(key));
    LockResult expected = GRANTED;
    if (lock != null) {
      boolean shared = lock.mode == mode && mode != WRITE && lock.holders.size() < 127;
      expected = shared ? GRANTED : priority < lock.bound ? WAIT : DIE;
    }
    assertEquals(expected, table.tryAcquire(key, mode, priority));
    if (expected == GRANTED) {
      Lock held = model.computeIfAbsent(table.identity(key), k -> new Lock());
      held.bound = held.holders.isEmpty() ? priority : Math.min(held.bound, priority);
      held.mode = mode;
      held.holders.add(new Holder(key, priority));
    }
    assertBound(key);
  }

  private void assertBound(long key) {
    Lock lock = model.get(table.identity(key));
    assertEquals(lock == null ? 0 : lock.bound, table.holderPriority(key));
  }

  private void release(long key) {
    Lock lock = model.get(table.identity(key));
    if (lock == null) {
      return;
    }
    Holder leaving = lock.holders.remove(random.nextInt(lock.holders.size()));
    table.release(leaving.key(), lock.mode);
    if (lock.holders.isEmpty()) {
      model.remove(table.identity(key));
    }
  }

  private void upgrade(long key) {
    Lock lock = model.get(table.identity(key));
    if (lock == null || lock.mode != READ) {
      return;
    }
    Holder holder = lock.holders.get(random.nextInt(lock.holders.size()));
    boolean alone = lock.holders.size() == 1;
    LockResult expected = alone ? GRANTED : holder.priority() <= lock.bound ? WAIT : DIE;
    assertEquals(expected, table.tryUpgrade(key, holder.priority()));
    if (alone) {
      lock.mode = WRITE;
      lock.bound = holder.priority();
    }
  }
}
