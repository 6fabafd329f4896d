package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.MemorySource;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;

@Timeout(60)
class PendingMemoryTest {
  private static final int PIECE = 4096;
  private static final int PIECES = 200;
  private static final long BYTES = (long) PIECE * PIECES - 1000;
  private static final long NODE_BYTES = 2L * PIECE * PIECES;

  /** A source in which each word holds its offset plus one. */
  private static final class Words implements MemorySource {
    final AtomicIntegerArray read = new AtomicIntegerArray(PIECES);
    final CountDownLatch closed = new CountDownLatch(1);
    final long damaged;

    Words(long damaged) {
      this.damaged = damaged;
    }

    @Override
    public long bytes() {
      return BYTES;
    }

    @Override
    public int pieceBytes() {
      return PIECE;
    }

    @Override
    public void read(long offset, ByteBuffer target) {
      if (offset == damaged) {
        throw new FabricException("damaged", null);
      }
      read.incrementAndGet((int) (offset / PIECE));
      target.order(ByteOrder.nativeOrder());
      for (long at = offset; target.hasRemaining(); at += Long.BYTES) {
        target.putLong(at + 1);
      }
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  private static long word(Channel channel, long offset) {
    channel.read(PoolAddress.of(0, offset), 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  private static long expected(long offset) {
    return offset < BYTES ? offset + 1 : 0;
  }

  @Test
  void shouldServeReadsAndWritesWhileFilling() throws Exception {
    Words source = new Words(-1);
    try (LocalFabric fabric = new LocalFabric(NODE_BYTES, new SystemEnvironment());
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      fabric.fill(source);
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long first = thread * 8L;
        all.add(threads.submit(() -> readAndWrite(fabric, first)));
      }
      for (Future<?> each : all) {
        each.get();
      }
      source.closed.await();
      assertEquals(
          List.of(1), IntStream.range(0, PIECES).mapToObj(source.read::get).distinct().toList());
      try (Channel channel = fabric.openChannel(4096)) {
        for (long at = 0; at < NODE_BYTES; at += 32) {
          assertEquals(-expected(at), word(channel, at));
        }
      }
    }
  }

  /**
   * Checks and negates every fourth word, from the last to the first.
   *
   * @param first offset in bytes, 0 to 24, of the word within each group of four
   */
  private static void readAndWrite(LocalFabric fabric, long first) {
    try (Channel channel = fabric.openChannel(4096)) {
      for (long at = NODE_BYTES - 32 + first; at >= 0; at -= 32) {
        assertEquals(expected(at), word(channel, at));
        channel.writeLong(PoolAddress.of(0, at), -expected(at));
        channel.flush();
      }
    }
  }

  @Test
  void shouldReadAcrossPieces() {
    try (LocalFabric fabric = new LocalFabric(NODE_BYTES, new SystemEnvironment())) {
      fabric.fill(new Words(-1));
      try (Channel channel = fabric.openChannel(3 * PIECE)) {
        channel.read(PoolAddress.of(0, PIECE - 8), 0, 2 * PIECE);
        channel.flush();
        for (int at = 0; at < 2 * PIECE; at += 8) {
          assertEquals(PIECE - 8 + at + 1, channel.staging().get(ValueLayout.JAVA_LONG, at));
        }
        assertThrows(
            OutsidePoolException.class, () -> channel.read(PoolAddress.of(0, NODE_BYTES), 0, 8));
        assertThrows(OutsidePoolException.class, () -> channel.read(PoolAddress.of(1, 0), 0, 8));
      }
    }
  }

  @Test
  void shouldRefuseAllAccessAfterDamagedPiece() throws ExecutionException, InterruptedException {
    Words source = new Words(100L * PIECE);
    try (LocalFabric fabric = new LocalFabric(NODE_BYTES, new SystemEnvironment())) {
      fabric.fill(source);
      try (Channel channel = fabric.openChannel(4096)) {
        assertThrows(FabricException.class, () -> word(channel, 100L * PIECE + 8));
        assertThrows(FabricException.class, () -> word(channel, 0));
      }
      source.closed.await();
      try (Channel channel = fabric.openChannel(4096)) {
        assertThrows(FabricException.class, () -> channel.writeLong(PoolAddress.of(0, 0), 1));
      }
    }
  }

  @Test
  void shouldFillByVerbsWithoutEnvironment() {
    Words source = new Words(-1);
    try (LocalFabric fabric = new LocalFabric(NODE_BYTES)) {
      fabric.fill(source);
      assertEquals(0, source.closed.getCount());
      try (Channel channel = fabric.openChannel(4096)) {
        for (long at = 0; at < NODE_BYTES; at += 8) {
          assertEquals(expected(at), word(channel, at));
        }
      }
    }
    try (LocalFabric fabric = new LocalFabric(NODE_BYTES)) {
      assertThrows(FabricException.class, () -> fabric.fill(new Words(100L * PIECE)));
      try (Channel channel = fabric.openChannel(4096)) {
        assertEquals(0, word(channel, 0));
      }
    }
  }
}
