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
 * Operations on two locks of one bucket, for Lincheck: each takes a lock, looks who else is inside,
 * and gives it back. In any order of them none may meet somebody whose lock excludes its own.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class LockVisits {
  private static final long READER = 1;
  private static final long WRITER = 1L << 16;
  private static final long INSERTER = 1L << 32;

  private final LockTable table;
  private final AtomicLongArray inside = new AtomicLongArray(2);

  /** Lincheck makes one for each run. */
  public LockVisits() {
    this(new LockMemory(LockTable.wordsOf(1)));
  }

  private LockVisits(LockMemory words) {
    table = new LockTable(new SteppingEnvironment(), words);
  }

  /** One lock of a table whose words are not swapped at once: Lincheck has to see that. */
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

  /** Whether somebody is inside who must not be. */
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

  /** Reads, then writes if nobody else reads. */
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
