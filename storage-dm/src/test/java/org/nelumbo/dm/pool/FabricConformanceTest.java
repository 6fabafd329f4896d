package org.nelumbo.dm.pool;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The conformance tests of {@link Channel} and {@link Fabric}; each fabric has a subclass that
 * passes them.
 */
@Timeout(120)
public abstract class FabricConformanceTest {
  protected static final int STAGING_BYTES = 64 << 10;
  protected static final long NODE_BYTES = 4 << 20;
  private static final long BASE = 8192;

  protected Fabric fabric;
  protected Channel channel;

  /** Opens a fabric of zeroed nodes. */
  protected abstract Fabric openFabric(int nodes, long nodeBytes);

  @BeforeEach
  void open() {
    fabric = openFabric(2, NODE_BYTES);
    channel = fabric.openChannel(STAGING_BYTES);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  @Test
  void shouldReportNodesAndTheirSizes() {
    assertEquals(2, fabric.nodeCount());
    assertTrue(fabric.nodeBytes(0) >= NODE_BYTES);
    assertTrue(fabric.nodeBytes(1) >= NODE_BYTES);
    assertThrows(IllegalArgumentException.class, () -> fabric.nodeBytes(2));
  }

  @Test
  void shouldStartWithZeroedMemoryAndStaging() {
    assertEquals(STAGING_BYTES, channel.staging().byteSize());
    for (int i = 0; i < STAGING_BYTES; i += 8) {
      assertEquals(0, Words.getLong(channel.staging(), i));
    }
    channel.staging().fill((byte) 7);
    channel.read(PoolAddress.of(1, BASE), 0, STAGING_BYTES);
    channel.flush();
    assertEquals(-1, channel.staging().mismatch(MemorySegment.ofArray(new byte[STAGING_BYTES])));
  }

  @Test
  void shouldReadBackWritesAtAnyLengthAndOffset() {
    int source = 0;
    int target = STAGING_BYTES / 2;
    for (int i = 0; i < 4096; i++) {
      Words.putByte(channel.staging(), source + i, i * 31 + 7);
    }
    for (int length = 0; length <= 300; length++) {
      for (int shift = 0; shift < 8; shift += 1 + length % 3) {
        checkCopy(source, target, length, shift);
      }
    }
    checkCopy(source, target, 4000, 3);
    checkCopy(source, target, 4096, 0);
  }

  private void checkCopy(int source, int target, int length, int shift) {
    long address = PoolAddress.of(1, BASE + shift);
    int from = source + (shift & 1);
    int bytes = Math.min(length, 4096 - (shift & 1));
    channel.write(address, from, bytes);
    channel.staging().asSlice(target - 8, bytes + 24).fill((byte) 0x5a);
    channel.read(address, target, bytes);
    channel.flush();
    assertEquals(
        -1,
        MemorySegment.mismatch(
            channel.staging(), from, from + bytes, channel.staging(), target, target + bytes));
    assertEquals(0x5a, Words.getByte(channel.staging(), target - 1));
    assertEquals(0x5a, Words.getByte(channel.staging(), target + bytes));
  }

  @Test
  void shouldKeepNodesApart() {
    channel.writeLong(PoolAddress.of(0, BASE), 1);
    channel.writeLong(PoolAddress.of(1, BASE), 2);
    assertEquals(1, readLong(channel, PoolAddress.of(0, BASE)));
    assertEquals(2, readLong(channel, PoolAddress.of(1, BASE)));
  }

  @Test
  void shouldWriteWordsInline() {
    long address = PoolAddress.of(0, BASE);
    channel.writeLong(address, 0x0102_0304_0506_0708L);
    assertEquals(0x0102_0304_0506_0708L, readLong(channel, address));
    channel.read(address, 0, 1);
    channel.flush();
    assertEquals(8, Words.getByte(channel.staging(), 0), "words are little-endian");
  }

  /** The digest takes effect after all verbs posted before it, as a READ does. */
  @Test
  void shouldDigestBytesVisibleToRead() {
    long address = PoolAddress.of(1, BASE);
    if (!channel.canDigest()) {
      assertThrows(UnsupportedOperationException.class, () -> channel.digest(address, 64, 1, 2, 0));
      return;
    }
    byte[] expected = new byte[WindowDigest.LENGTH];
    MemorySegment window = channel.staging().asSlice(0, 1000);
    for (int i = 0; i < 1000; i++) {
      Words.putByte(channel.staging(), i, i * 31 + 7);
    }
    new WindowDigest().put(8, 9, window, 0, 1000, MemorySegment.ofArray(expected), 0);
    channel.write(address, 0, 1000);
    channel.digest(address, 1000, 8, 9, 1024);
    channel.writeLong(address, 77);
    channel.digest(address, 1000, 8, 9, 1024 + WindowDigest.LENGTH);
    channel.flush();
    byte[] found = channel.staging().asSlice(1024, 2 * WindowDigest.LENGTH).toArray(JAVA_BYTE);
    assertArrayEquals(expected, Arrays.copyOf(found, WindowDigest.LENGTH));
    Words.putLong(channel.staging(), 0, 77);
    new WindowDigest().put(8, 9, window, 0, 1000, MemorySegment.ofArray(expected), 0);
    assertArrayEquals(
        expected, Arrays.copyOfRange(found, WindowDigest.LENGTH, 2 * WindowDigest.LENGTH));
    long behind = PoolAddress.of(0, fabric.nodeBytes(0) - 8);
    assertThrows(OutsidePoolException.class, () -> channel.digest(behind, 16, 1, 2, 0));
  }

  @Test
  void shouldWriteWordThatReleasesLatch() {
    long address = PoolAddress.of(0, BASE);
    channel.writeLong(address, 5);
    channel.writeRelease(address, 5, 6);
    channel.compareAndSwap(address, 6, 7, 16);
    channel.flush();
    assertEquals(6, Words.getLong(channel.staging(), 16));
    assertEquals(7, readLong(channel, address));
  }

  @Test
  void shouldSwapOnlyTheExpectedValueAndReturnTheOldOne() {
    long address = PoolAddress.of(0, BASE);
    channel.writeLong(address, 5);
    channel.compareAndSwap(address, 6, 7, 16);
    channel.flush();
    assertEquals(5, Words.getLong(channel.staging(), 16));
    assertEquals(5, readLong(channel, address));
    channel.compareAndSwap(address, 5, 7, 16);
    channel.flush();
    assertEquals(5, Words.getLong(channel.staging(), 16));
    assertEquals(7, readLong(channel, address));
  }

  @Test
  void shouldAddAndReturnTheOldValue() {
    long address = PoolAddress.of(0, BASE);
    channel.writeLong(address, 5);
    channel.fetchAndAdd(address, -7, 24);
    channel.flush();
    assertEquals(5, Words.getLong(channel.staging(), 24));
    assertEquals(-2, readLong(channel, address));
  }

  @Test
  void shouldDoVerbsOfOneNodeInPostedOrder() {
    long address = PoolAddress.of(0, BASE);
    Words.putLong(channel.staging(), 0, 1);
    channel.write(address, 0, 8);
    channel.read(address, 8, 8);
    channel.fetchAndAdd(address, 10, 16);
    channel.compareAndSwap(address, 11, 100, 24);
    channel.writeLong(address, 200);
    channel.read(address, 32, 8);
    channel.flush();
    long[] seen = new long[5];
    for (int i = 0; i < 5; i++) {
      seen[i] = Words.getLong(channel.staging(), 8L * i);
    }
    assertArrayEquals(new long[] {1, 1, 1, 11, 200}, seen);
  }

  @Test
  void shouldIgnorePrefetchOfAnyAddress() {
    channel.writeLong(PoolAddress.of(1, BASE), 7);
    channel.flush();
    for (long offset : new long[] {0, BASE, BASE + 3, NODE_BYTES - 8, NODE_BYTES, 1L << 39}) {
      for (int length : new int[] {0, 1, 8, 200, 1 << 20}) {
        channel.prefetch(PoolAddress.of(1, offset), length);
        channel.prefetch(PoolAddress.of(9, offset), length);
      }
    }
    int offset = channel.reserve(8);
    channel.read(PoolAddress.of(1, BASE), offset, 8);
    channel.flush();
    assertEquals(7, Words.getLong(channel.staging(), offset));
  }

  @Test
  void shouldRejectAddressesOutsidePool() {
    long end = fabric.nodeBytes(0);
    assertThrows(RuntimeException.class, () -> readLong(channel, PoolAddress.of(0, end)));
    assertThrows(RuntimeException.class, () -> readLong(channel, PoolAddress.of(2, BASE)));
    assertThrows(RuntimeException.class, () -> readLong(channel, -8L));
    assertThrows(
        RuntimeException.class,
        () -> {
          channel.write(PoolAddress.of(0, end - 8), 0, 16);
          channel.flush();
        });
    RuntimeException e =
        assertThrows(
            RuntimeException.class,
            () -> {
              channel.writeLong(PoolAddress.of(0, end), 1);
              channel.flush();
            });
    assertTrue(e.getMessage().contains("0:0x" + Long.toHexString(end)), e.getMessage());
  }

  @Test
  void shouldRefuseUnalignedWords() {
    assertThrows(
        IllegalArgumentException.class, () -> channel.writeLong(PoolAddress.of(0, BASE + 4), 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> channel.fetchAndAdd(PoolAddress.of(0, BASE + 4), 1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> channel.compareAndSwap(PoolAddress.of(0, BASE + 4), 1, 2, 0));
  }

  @Test
  void shouldRejectOffsetsOutsideStaging() {
    long address = PoolAddress.of(0, BASE);
    assertThrows(
        IllegalArgumentException.class, () -> channel.read(address, STAGING_BYTES - 8, 16));
    assertThrows(IllegalArgumentException.class, () -> channel.write(address, -8, 16));
    assertThrows(
        IllegalArgumentException.class, () -> channel.fetchAndAdd(address, 1, STAGING_BYTES));
  }

  @Test
  void shouldHandOutStagingAsAStack() {
    int mark = channel.mark();
    int first = channel.reserve(13);
    int second = channel.reserve(8);
    assertEquals(first + 16, second);
    assertEquals(0, first & 7);
    int inner = channel.mark();
    int available = channel.stagingAvailable();
    channel.reserve(100);
    channel.release(inner);
    assertEquals(available, channel.stagingAvailable());
    assertEquals(second + 8, channel.reserve(8));
    channel.release(mark);
    assertEquals(STAGING_BYTES, channel.stagingAvailable());
    assertThrows(IllegalStateException.class, () -> channel.reserve(STAGING_BYTES + 1));
    assertEquals(mark, channel.mark(), "a refused reservation changes nothing");
  }

  @Test
  void shouldRefuseVerbsOnceClosed() {
    Channel other = fabric.openChannel(1024);
    other.close();
    other.close();
    assertThrows(
        RuntimeException.class,
        () -> {
          other.read(PoolAddress.of(0, BASE), 0, 8);
          other.flush();
        });
  }

  @Test
  void shouldNotTearWordsUnderConcurrentWrites() throws Exception {
    int words = 40;
    long address = PoolAddress.of(0, BASE);
    List<Task> tasks = new ArrayList<>();
    for (int w = 0; w < 2; w++) {
      long unit = w == 0 ? 0x0101_0101_0101_0101L : 0x8f8f_8f8f_8f8f_8f8fL;
      tasks.add(
          mine -> {
            for (int i = 0; i < 20_000; i++) {
              for (int k = 0; k < words; k++) {
                Words.putLong(mine.staging(), 8L * k, unit * (i & 1));
              }
              mine.write(address, 0, 8 * (1 + i % words));
              mine.flush();
            }
          });
    }
    tasks.add(
        mine -> {
          for (int i = 0; i < 20_000; i++) {
            mine.read(address, 0, 8 * words);
            mine.flush();
            for (int k = 0; k < words; k++) {
              long word = Words.getLong(mine.staging(), 8L * k);
              assertEquals(0x0101_0101_0101_0101L * (word & 0xff), word, "half a word seen");
            }
          }
        });
    run(tasks);
  }

  @Test
  void shouldShowWritesInPostedOrderToOtherChannels() throws Exception {
    long data = PoolAddress.of(0, BASE);
    long flag = PoolAddress.of(0, BASE + 4096);
    int rounds = 30_000;
    run(
        List.of(
            mine -> {
              for (int i = 1; i <= rounds; i++) {
                Words.putLong(mine.staging(), 0, i);
                mine.write(data, 0, 8);
                mine.writeLong(flag, i);
                mine.flush();
              }
            },
            mine -> {
              long seen = 0;
              while (seen < rounds) {
                mine.read(flag, 0, 8);
                mine.read(data, 8, 8);
                mine.flush();
                seen = Words.getLong(mine.staging(), 0);
                assertTrue(Words.getLong(mine.staging(), 8) >= seen, "data behind its flag");
              }
            }));
  }

  /**
   * Store buffering: two coordinators each write a word and then read the word of the other one. At
   * least one of them must see the write of the other, with and without a flush in between, because
   * verbs take effect in posted order.
   */
  @Test
  void shouldExecuteWritesBeforeLaterReads() throws Exception {
    int rounds = 28_000;
    // On a busy machine each round waits for the scheduler, so that fewer rounds fit.
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    AtomicInteger last = new AtomicInteger(rounds);
    long[][] seen = new long[2][rounds];
    AtomicInteger[] arrived = {new AtomicInteger(), new AtomicInteger()};
    List<Task> tasks = new ArrayList<>();
    for (int w = 0; w < 2; w++) {
      int me = w;
      tasks.add(
          mine -> {
            for (int i = 0; i < last.get(); i++) {
              if (me == 0 && System.nanoTime() > end) {
                last.set(i + 1);
              }
              arrived[me].set(i + 1);
              for (int spin = 0; arrived[1 - me].get() <= i; spin++) {
                pause(spin);
              }
              // The later thread is ahead of the waiting one. Varies the distance between them.
              for (int delay = (i >>> 1) * (me + 1) % 48; delay > 0; delay--) {
                mine.staging().set(ValueLayout.JAVA_LONG, 8, delay);
              }
              mine.writeLong(PoolAddress.of(0, BASE + 128L * i + 64L * me), 1);
              if ((i & 1) == 0) {
                mine.flush();
              }
              mine.read(PoolAddress.of(0, BASE + 128L * i + 64L * (1 - me)), 0, 8);
              mine.flush();
              seen[me][i] = Words.getLong(mine.staging(), 0);
            }
          });
    }
    run(tasks);
    for (int i = 0; i < last.get(); i++) {
      assertTrue(seen[0][i] + seen[1][i] > 0, "neither saw the other's write round=" + i);
    }
  }

  private static void pause(int attempt) {
    if (attempt < 1000) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  @Test
  void shouldAddAndSwapAtomically() throws Exception {
    long counter = PoolAddress.of(1, BASE);
    long swapped = PoolAddress.of(1, BASE + 64);
    int threads = 4;
    int rounds = 10_000;
    List<Task> tasks = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      tasks.add(
          mine -> {
            for (int i = 0; i < rounds; i++) {
              mine.fetchAndAdd(counter, 1, 0);
              mine.flush();
              increment(mine, swapped);
            }
          });
    }
    run(tasks);
    assertEquals((long) threads * rounds, readLong(channel, counter));
    assertEquals((long) threads * rounds, readLong(channel, swapped));
  }

  private static void increment(Channel mine, long address) {
    long expected = readLong(mine, address);
    while (true) {
      mine.compareAndSwap(address, expected, expected + 1, 8);
      mine.flush();
      long old = Words.getLong(mine.staging(), 8);
      if (old == expected) {
        return;
      }
      expected = old;
    }
  }

  /**
   * Returns the size of a node that is larger than the memory of the machine, unless the fabric
   * needs all memory of a node at once.
   */
  protected long largeNodeBytes() {
    return 16L << 30;
  }

  @Test
  void shouldReserveLargeNodesLazily() {
    try (Fabric large = openFabric(1, largeNodeBytes());
        Channel mine = large.openChannel(1024)) {
      long last = PoolAddress.of(0, largeNodeBytes() - 8);
      assertEquals(0, readLong(mine, last));
      mine.writeLong(last, 42);
      assertEquals(42, readLong(mine, last));
    }
  }

  protected static long readLong(Channel channel, long address) {
    channel.read(address, 0, 8);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  /** Work of one thread on its own channel. */
  protected interface Task {
    void run(Channel channel) throws Exception;
  }

  protected void run(List<Task> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (Task task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  try (Channel mine = fabric.openChannel(STAGING_BYTES)) {
                    task.run(mine);
                  }
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        future.get(100, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }
  }
}
