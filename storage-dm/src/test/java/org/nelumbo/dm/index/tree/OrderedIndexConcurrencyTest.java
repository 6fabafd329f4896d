package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.Channel;

/**
 * Tests concurrent inserts, removals, lookups and scans, while leaves are split, emptied, removed
 * and reused.
 */
@Timeout(180)
@ParameterizedClass(name = "exclusive guard: {0}")
@ValueSource(booleans = {false, true})
class OrderedIndexConcurrencyTest {
  private static final int THREADS = 2;

  private final LeafGuard guard;
  private final TreePool pool = new TreePool(64 << 20);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicBoolean stop = new AtomicBoolean();

  /**
   * Start time of the current operation of each reader, as in the epochs of the executor; 0 if the
   * reader is idle.
   */
  private final AtomicLongArray pins = new AtomicLongArray(16);

  private final AtomicLong nextSlot = new AtomicLong();

  OrderedIndexConcurrencyTest(boolean isExclusive) {
    guard = isExclusive ? new ExclusiveGuard() : LeafGuard.NONE;
  }

  @AfterEach
  void close() throws InterruptedException {
    stop.set(true);
    threads.shutdown();
    assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
    pool.close();
  }

  /** A coordinator that pins the horizon around each of its steps. */
  private abstract class Actor implements Runnable {
    final int slot = (int) nextSlot.getAndIncrement();
    final OrderedIndex index;
    final Random random = new Random(slot);

    Actor(OrderedIndex index) {
      this.index = index;
    }

    abstract void step(Channel channel, PoolAllocator allocator);

    @Override
    public void run() {
      try (Channel channel = pool.fabric.openChannel(TreePool.STAGING);
          PoolAllocator allocator = pool.chunks.newAllocator(channel)) {
        while (!stop.get()) {
          pins.set(slot, pool.clock.get());
          step(channel, allocator);
          pins.set(slot, 0);
          advance();
        }
      }
    }

    private void advance() {
      long horizon = pool.clock.incrementAndGet();
      for (int i = 0; i < pins.length(); i++) {
        long pin = pins.get(i);
        horizon = pin == 0 ? horizon : Math.min(horizon, pin);
      }
      pool.horizon.accumulateAndGet(horizon, Math::max);
    }
  }

  /** Inserts and removes keys of one residue in ascending bunches; all other keys stay. */
  private final class Mover extends Actor {
    private final int residue;
    private final long span;

    Mover(OrderedIndex index, int residue, long span) {
      super(index);
      this.residue = residue;
      this.span = span;
    }

    @Override
    void step(Channel channel, PoolAllocator allocator) {
      long from = random.nextLong(span);
      int length = random.nextInt(300);
      for (long i = from; i < from + length; i++) {
        byte[] key = TreePool.key(i * 8 + residue);
        index.insert(channel, allocator, key, 8, 16, guard);
      }
      for (long i = from; i < from + length; i++) {
        byte[] key = TreePool.key(i * 8 + residue);
        assertEquals(IndexResult.REMOVED, index.remove(channel, key, 8, 16, guard));
        index.removeEmptyLeaves(channel, allocator, guard, 2);
      }
    }
  }

  /** Scans a range and checks that keys are ascending and that no constant key is missing. */
  private final class Scanner extends Actor {
    private final LeafCursor cursor;
    private final long span;
    private final long every;
    final AtomicLong scans = new AtomicLong();

    Scanner(OrderedIndex index, long span, long every) {
      super(index);
      this.span = span;
      this.every = every;
      cursor = new LeafCursor(index);
    }

    @Override
    void step(Channel channel, PoolAllocator allocator) {
      boolean ascending = random.nextBoolean();
      long start = random.nextLong(span) * 8;
      int limit = random.nextInt(500);
      long expected = ascending ? Math.ceilDiv(start, every) * every : start / every * every;
      long last = ascending ? -1 : Long.MAX_VALUE;
      int status =
          cursor.seek(
              channel, TreePool.key(start), 8, true, ScanDirection.of(ascending), LeafGuard.NONE);
      for (int seen = 0;
          status == IndexResult.OK && seen < limit;
          status = cursor.nextLeaf(channel)) {
        for (int i = 0; i < cursor.count(); i++, seen++) {
          byte[] bytes = cursor.keyBytes();
          long key = TreePool.number(bytes, cursor.keyOffset(i));
          assertTrue(
              ascending ? key > last : key < last, "out of order: " + key + " after " + last);
          boolean done = expected >= span * 8 || expected < 0;
          assertTrue(
              done || (ascending ? key <= expected : key >= expected),
              "missed " + expected + ", found " + key);
          if (key == expected) {
            expected += ascending ? every : -every;
          }
          last = key;
        }
      }
      assertTrue(
          status != IndexResult.END || expected < 0 || expected >= span * 8,
          "ended before " + expected);
      scans.incrementAndGet();
    }
  }

  private final class Getter extends Actor {
    private final long span;
    private final long every;

    Getter(OrderedIndex index, long span, long every) {
      super(index);
      this.span = span;
      this.every = every;
    }

    @Override
    void step(Channel channel, PoolAllocator allocator) {
      for (int i = 0; i < 50; i++) {
        long key = random.nextLong(span * 8 / every) * every;
        assertEquals(32, index.get(channel, TreePool.key(key), 8), () -> "lost " + key);
      }
    }
  }

  private OrderedIndex withConstantKeys(long span, long every) {
    OrderedIndex index = pool.create();
    for (long key = 0; key < span * 8; key += every) {
      pool.insert(index, TreePool.key(key), 32);
    }
    return index;
  }

  /** Runs actors for at least {@code millis} ms, and until they have done enough. */
  private void run(List<? extends Runnable> actors, int millis, BooleanSupplier enough)
      throws Exception {
    List<Future<?>> futures = new ArrayList<>();
    actors.forEach(actor -> futures.add(threads.submit(actor)));
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while ((System.nanoTime() < end || !enough.getAsBoolean())
        && futures.stream().noneMatch(Future::isDone)) {
      java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
    }
    stop.set(true);
    for (Future<?> future : futures) {
      future.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldNeverMissKeyDuringInsertsAndRemovals() throws Exception {
    long span = 4000;
    long every = 8 * 64;
    OrderedIndex index = withConstantKeys(span, every);
    Scanner scanner = new Scanner(index, span, every);
    run(
        List.of(
            new Mover(index, 1, span),
            new Mover(index, 2, span),
            new Mover(index, 3, span),
            scanner,
            new Scanner(index, span, every),
            new Getter(index, span, every)),
        3000,
        () -> scanner.scans.get() > 0);
    assertTrue(scanner.scans.get() > 0);
    assertEquals(Math.ceilDiv(span * 8, every), index.verify(pool.channel));
  }

  /** Each compute node has copies of inner nodes that become stale by the changes of the others. */
  @Test
  void shouldSurviveStaleCopiesOfInnerNodes() throws Exception {
    long span = 20_000;
    long every = 8 * 512;
    OrderedIndex first = withConstantKeys(span, every);
    List<Actor> actors = new ArrayList<>();
    for (int node = 1; node <= 3; node++) {
      OrderedIndex index = pool.open(first.root(), node);
      actors.add(new Mover(index, node, span));
      actors.add(new Scanner(index, span, every));
    }
    actors.add(new Getter(first, span, every));
    run(actors, 3000, () -> true);
    assertEquals(Math.ceilDiv(span * 8, every), first.verify(pool.channel));
  }

  @Test
  void shouldHoldEveryKeyThatSeveralInserted() throws Exception {
    OrderedIndex index = pool.create();
    int each = 50_000;
    List<Future<?>> futures = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      futures.add(
          threads.submit(
              () -> {
                try (Channel channel = pool.fabric.openChannel(TreePool.STAGING);
                    PoolAllocator allocator = pool.chunks.newAllocator(channel)) {
                  for (long i = 0; i < each; i++) {
                    long mixed = (i * THREADS + number) * 0x9E3779B97F4A7C15L;
                    assertEquals(
                        IndexResult.INSERTED,
                        index.insert(
                            channel, allocator, TreePool.key(mixed), 8, 16 + i * 16, guard));
                    assertEquals(16 + i * 16, index.get(channel, TreePool.key(mixed), 8));
                  }
                }
              }));
    }
    for (Future<?> future : futures) {
      future.get(60, TimeUnit.SECONDS);
    }
    assertEquals(each * THREADS, index.verify(pool.channel));
    assertEquals(0, index.statistics(pool.channel).missingSeparators());
  }
}
