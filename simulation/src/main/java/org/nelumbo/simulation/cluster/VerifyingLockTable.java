package org.nelumbo.simulation.cluster;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.simulation.instrument.InstrumentedLoader;

/**
 * A lock table that is compared with a model after every operation: grants are compatible, only
 * held locks are released, refusals have a reason, and the table's own invariants hold. For one
 * carrier.
 */
public final class VerifyingLockTable extends LockTable {
  /**
   * True if a throwable may be injected between updates of the table's words. The engine then
   * stops, but other threads may use the table before; consistency is then checked only at the end.
   */
  private static final boolean IS_BREAKABLE = InstrumentedLoader.isInside(VerifyingLockTable.class);

  private final Map<Long, Holders> held = new HashMap<>();

  private record Holders(LockMode mode, int count) {}

  /** Creates an empty table; see {@link LockTable}. */
  public VerifyingLockTable(Environment environment, int buckets) {
    super(environment, buckets);
  }

  @Override
  public LockResult tryAcquire(long key, LockMode mode, long priority) {
    LockResult result = super.tryAcquire(key, mode, priority);
    if (mode == LockMode.CHANGE) {
      return result; // consists of two locks
    }
    Holders before = held.get(identity(key));
    if (result == LockResult.GRANTED) {
      check(
          before == null || before.mode == mode && mode != LockMode.WRITE, "granted", key, before);
      int count = before == null ? 1 : before.count + 1;
      held.put(identity(key), new Holders(mode, count));
    } else {
      check(before != null || result == LockResult.BEHIND || IS_BREAKABLE, "refused", key, null);
    }
    verifyUnlessBroken(key);
    return result;
  }

  @Override
  public LockResult tryUpgrade(long key, long priority) {
    LockResult result = super.tryUpgrade(key, priority);
    Holders before = held.get(identity(key));
    check(before != null && before.mode == LockMode.READ, "upgraded", key, before);
    boolean isSole = before.count == 1;
    check(
        isSole == (result == LockResult.GRANTED) || IS_BREAKABLE && isSole,
        "upgraded",
        key,
        before);
    if (result == LockResult.GRANTED) {
      held.put(identity(key), new Holders(LockMode.WRITE, 1));
    }
    verifyUnlessBroken(key);
    return result;
  }

  @Override
  public void release(long key, LockMode mode) {
    super.release(key, mode);
    if (mode == LockMode.CHANGE) {
      return;
    }
    Holders before = held.get(identity(key));
    check(before != null && before.mode == mode, "released", key, before);
    if (before.count == 1) {
      held.remove(identity(key));
    } else {
      held.put(identity(key), new Holders(mode, before.count - 1));
    }
    verifyUnlessBroken(key);
  }

  private void verifyUnlessBroken(long key) {
    if (!IS_BREAKABLE) {
      verify(key);
    }
  }

  private static void check(boolean holds, String what, long key, Holders holders) {
    if (!holds) {
      throw new IllegalStateException(
          "lock table: wrongly " + what + " key=" + Long.toHexString(key) + " held=" + holders);
    }
  }
}
