package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.Channel;

/**
 * Tests that there are no phantoms: while a scanner holds its leaf locks, a repeated scan returns
 * the same entries, except those that were removed.
 */
@Timeout(180)
class LeafGuardTest {
  private static final byte[] OPEN = new byte[0];

  private final TreePool pool = new TreePool(64 << 20);
  private final OrderedIndex index = pool.create();
  private final Locks locks = new Locks();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();

  @AfterEach
  void close() throws InterruptedException {
    stop.set(true);
    threads.shutdown();
    assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
    pool.close();
  }

  /** Leaf locks, each held by any number of scanners or by any number of inserts. */
  private static final class Locks {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Set<Owner>> scanners = new HashMap<>();
    private final Map<Long, Integer> inserts = new HashMap<>();

    /** The leaf locks of one transaction, which never waits. */
    final class Owner implements LeafGuard {
      private final Set<Long> scanned = new HashSet<>();
      private int tries;

      @Override
      public boolean enterScan(long leaf) {
        lock.lock();
        try {
          if (inserts.getOrDefault(leaf, 0) > 0) {
            return false;
          }
          scanners.computeIfAbsent(leaf, l -> new HashSet<>()).add(this);
          scanned.add(leaf);
          return true;
        } finally {
          lock.unlock();
        }
      }

      @Override
      public boolean enterInsert(long leaf) {
        lock.lock();
        try {
          Set<Owner> others = scanners.getOrDefault(leaf, Set.of());
          boolean free = others.isEmpty() || (others.size() == 1 && others.contains(this));
          if (free) {
            inserts.merge(leaf, 1, Integer::sum);
          }
          return free;
        } finally {
          lock.unlock();
        }
      }

      @Override
      public void exitInsert(long leaf) {
        lock.lock();
        try {
          inserts.merge(leaf, -1, Integer::sum);
        } finally {
          lock.unlock();
        }
      }

      @Override
      public boolean passRange(long from, long to) {
        return !scanned.contains(from) || enterScan(to);
      }

      /** Refuses every second call, as if it had to wait. */
      @Override
      public boolean tryPassRange(long from, long to) {
        return ++tries % 2 == 0 && passRange(from, to);
      }

      void end() {
        lock.lock();
        try {
          scanned.forEach(leaf -> scanners.get(leaf).remove(this));
          scanned.clear();
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /** Returns the keys between two bounds, or null if the guard has refused the scan. */
  private static Set<Long> scan(
      LeafCursor cursor, Channel channel, long from, long to, boolean ascending, LeafGuard guard) {
    Set<Long> keys = new TreeSet<>();
    byte[] start = TreePool.key(ascending ? from : to);
    byte[] end = TreePool.key(ascending ? to : from);
    int status = cursor.seek(channel, start, 8, true, ScanDirection.of(ascending), guard);
    while (status == IndexResult.OK) {
      for (int i = 0; i < cursor.count(); i++) {
        long key = TreePool.number(cursor.keyBytes(), cursor.keyOffset(i));
        if (key >= from && key <= to) {
          keys.add(key);
        }
      }
      if (cursor.reaches(end, 8, true)) {
        break;
      }
      status = cursor.nextLeaf(channel);
    }
    return status == IndexResult.CONFLICT ? null : keys;
  }

  @Test
  void shouldRefuseAnInsertIntoAScannedRange() {
    pool.insert(index, TreePool.key(10), 16);
    Locks.Owner scanner = locks.new Owner();
    assertEquals(Set.of(10L), scan(new LeafCursor(index), pool.channel, 5, 20, true, scanner));
    Locks.Owner other = locks.new Owner();
    assertEquals(
        IndexResult.CONFLICT,
        index.insert(pool.channel, pool.allocator, TreePool.key(11), 8, 16, other));
    assertEquals(
        IndexResult.INSERTED,
        index.insert(pool.channel, pool.allocator, TreePool.key(12), 8, 16, scanner));
    scanner.end();
    assertEquals(
        IndexResult.INSERTED,
        index.insert(pool.channel, pool.allocator, TreePool.key(11), 8, 16, other));
  }

  @Test
  void shouldProtectScannedRangeWhenScannerSplitsLeaf() {
    Locks.Owner scanner = locks.new Owner();
    assertEquals(Set.of(), scan(new LeafCursor(index), pool.channel, 0, 10_000, true, scanner));
    for (long key = 0; key < 10_000; key += 10) {
      assertEquals(
          IndexResult.INSERTED,
          index.insert(pool.channel, pool.allocator, TreePool.key(key), 8, 16, scanner));
    }
    Locks.Owner other = locks.new Owner();
    for (long key = 5; key < 10_000; key += 10) {
      assertEquals(
          IndexResult.CONFLICT,
          index.insert(pool.channel, pool.allocator, TreePool.key(key), 8, 16, other));
    }
  }

  @Test
  void shouldNotRemoveAnEmptyLeafThatIsScanned() {
    for (long key = 0; key < 1000; key++) {
      pool.insert(index, TreePool.key(key), 16);
    }
    Locks.Owner scanner = locks.new Owner();
    LeafCursor cursor = new LeafCursor(index);
    cursor.seek(pool.channel, OPEN, 0, true, ScanDirection.ASCENDING, scanner);
    int count = cursor.count();
    for (long key = 0; key < count; key++) {
      pool.remove(index, TreePool.key(key), 16);
    }
    assertEquals(0, index.removeEmptyLeaves(pool.channel, pool.allocator, locks.new Owner(), 10));
    scanner.end();
    assertEquals(1, index.removeEmptyLeaves(pool.channel, pool.allocator, locks.new Owner(), 10));
    assertFalse(index.hasEmptyLeaves());
    assertEquals(1000 - count, index.verify(pool.channel));
  }

  @Test
  void shouldShowScannersNoPhantoms() throws Exception {
    AtomicInteger scans = new AtomicInteger();
    AtomicInteger inserts = new AtomicInteger();
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int seed = i;
      futures.add(
          threads.submit(
              () ->
                  forever(
                      (channel, allocator) ->
                          insertAndRemove(new Random(seed), channel, allocator, inserts))));
      futures.add(
          threads.submit(
              () ->
                  forever(
                      (channel, allocator) -> scanTwice(new Random(), channel, allocator, scans))));
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    while ((System.nanoTime() < end || scans.get() <= 100 || inserts.get() <= 100)
        && futures.stream().noneMatch(Future::isDone)) {
      LockSupport.parkNanos(1_000_000);
    }
    stop.set(true);
    for (Future<?> future : futures) {
      future.get(60, TimeUnit.SECONDS);
    }
    index.verify(pool.channel);
    assertTrue(scans.get() > 100, () -> "scans=" + scans);
    assertTrue(inserts.get() > 100, () -> "inserts=" + inserts);
  }

  private interface Step {
    void run(Channel channel, PoolAllocator allocator);
  }

  private void forever(Step step) {
    try (Channel channel = pool.fabric.openChannel(TreePool.STAGING);
        PoolAllocator allocator = pool.chunks.newAllocator(channel)) {
      while (!stop.get()) {
        step.run(channel, allocator);
      }
    }
  }

  private void insertAndRemove(
      Random random, Channel channel, PoolAllocator allocator, AtomicInteger inserts) {
    Locks.Owner owner = locks.new Owner();
    for (int run = 0; run < 20; run++) {
      long from = random.nextLong(20_000);
      int length = random.nextInt(200);
      for (long key = from; key < from + length; key++) {
        if (index.insert(channel, allocator, TreePool.key(key), 8, 16, owner)
            == IndexResult.INSERTED) {
          inserts.incrementAndGet();
        }
      }
      from = random.nextLong(20_000);
      for (long key = from; key < from + 400; key++) {
        index.remove(channel, TreePool.key(key), 8, 16, owner);
        index.removeEmptyLeaves(channel, allocator, owner, 1);
      }
    }
  }

  private void scanTwice(
      Random random, Channel channel, PoolAllocator allocator, AtomicInteger scans) {
    Locks.Owner owner = locks.new Owner();
    LeafCursor cursor = new LeafCursor(index);
    long from = random.nextLong(20_000);
    long to = from + random.nextInt(1000);
    Set<Long> allowed = scan(cursor, channel, from, to, random.nextBoolean(), owner);
    if (allowed != null) {
      for (int own = 0; own < 30; own++) {
        long key = from + random.nextLong(to - from + 1);
        index.insert(channel, allocator, TreePool.key(key), 8, 16, owner);
        allowed.add(key);
      }
      for (int again = 0; again < 3; again++) {
        Set<Long> seen = scan(cursor, channel, from, to, random.nextBoolean(), LeafGuard.NONE);
        seen.removeAll(allowed);
        assertEquals(Set.of(), seen, "phantoms");
      }
      scans.incrementAndGet();
    }
    owner.end();
  }
}
