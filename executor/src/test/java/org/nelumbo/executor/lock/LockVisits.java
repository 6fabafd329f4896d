package org.nelumbo.executor.lock;

import static org.nelumbo.executor.lock.LockMode.INSERT;
import static org.nelumbo.executor.lock.LockMode.READ;
import static org.nelumbo.executor.lock.LockMode.WRITE;
import static org.nelumbo.executor.lock.LockResult.GRANTED;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.nelumbo.dm.litmus.SteppingEnvironment;

/**
 * Operations on two locks of one bucket, for Lincheck. Each one acquires a lock, checks the other
 * holders, and releases the lock. In no order may an operation find an incompatible holder.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class LockVisits {
  private static final long READER = 1;
  private static final long WRITER = 1L << 16;
  private static final long INSERTER = 1L << 32;

  private final LockTable table;
  private final AtomicLongArray inside = new AtomicLongArray(2);

  /** Creates an instance; Lincheck calls this for each run. */
  public LockVisits() {
    this(new LockMemory(LockTable.wordsOf(1)));
  }

  private LockVisits(LockMemory words) {
    table = new LockTable(new SteppingEnvironment(), words);
  }

  /** A lock table with non-atomic compare-and-set, whose errors Lincheck must find. */
  public static final class Torn {
    private final LockVisits visits =
        new LockVisits(
            new LockMemory(LockTable.wordsOf(1)) {
              @Override
              boolean compareAndSet(int index, long expected, long replacement) {
                if (get(index) != expected) {
                  return false;
                }
                setRelease(index, replacement);
                return true;
              }
            });

    @Operation
    public boolean write() {
      return visits.write(0);
    }
  }

  /** Acquires and releases a lock; returns true if an incompatible holder was found. */
  private boolean visit(int key, LockMode mode, long mine, long excluded) {
    if (table.tryAcquire(Keys.of(2 * key), mode, Thread.currentThread().threadId()) != GRANTED) {
      return false;
    }
    boolean met = (inside.getAndAdd(key, mine) & excluded) != 0;
    inside.getAndAdd(key, -mine);
    table.release(Keys.of(2 * key), mode);
    return met;
  }

  @Operation
  public boolean read(@Param(name = "key") int key) {
    return visit(key, READ, READER, ~0xffffL);
  }

  @Operation
  public boolean write(@Param(name = "key") int key) {
    return visit(key, WRITE, WRITER, ~0L);
  }

  @Operation
  public boolean insert(@Param(name = "key") int key) {
    return visit(key, INSERT, INSERTER, 0xffff_ffffL);
  }

  /** Acquires a read lock, and upgrades it if there is no other reader. */
  @Operation
  public boolean upgrade(@Param(name = "key") int key) {
    long lock = Keys.of(2 * key);
    if (table.tryAcquire(lock, READ, 5) != GRANTED) {
      return false;
    }
    if (table.tryUpgrade(lock, 5) != GRANTED) {
      table.release(lock, READ);
      return false;
    }
    boolean met = inside.getAndAdd(key, WRITER) != 0;
    inside.getAndAdd(key, -WRITER);
    table.release(lock, WRITE);
    return met;
  }

  @Validate
  public void nothingIsLeft() {
    table.verify();
    if (table.heldCount() != 0) {
      throw new IllegalStateException("locks are left count=" + table.heldCount());
    }
  }
}
