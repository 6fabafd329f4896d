package org.nelumbo.executor.timestamp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.superblock.PoolFormat;

@Timeout(60)
class HandoverClockTest {
  private static final int DRAWERS = 3;
  private static final int DRAWN_AFTERWARDS = 1000;
  private final LocalFabric fabric = new LocalFabric(1 << 20);
  private final HandoverClock clock = new HandoverClock(new SystemEnvironment());

  HandoverClockTest() {
    PoolFormat.format(fabric, 1);
  }

  @AfterEach
  void close() {
    clock.close();
    fabric.close();
  }

  /**
   * Draws ascending timestamps, until a number of them was drawn after the handover of the clock.
   */
  private void draw(Set<Long> all, CountDownLatch begun, CountDownLatch handedOver) {
    try (Channel channel = fabric.openChannel(Long.BYTES)) {
      long last = 0;
      int left = DRAWN_AFTERWARDS;
      while (left > 0) {
        left -= handedOver.getCount() == 0 ? 1 : 0;
        long timestamp = clock.next(channel);
        assertTrue(timestamp > last, "timestamp=" + timestamp + " last=" + last);
        assertTrue(all.add(timestamp), "drawn twice timestamp=" + timestamp);
        assertTrue(clock.now() >= timestamp, "timestamp=" + timestamp);
        assertTrue(clock.read(channel) >= timestamp, "timestamp=" + timestamp);
        last = timestamp;
        begun.countDown();
      }
    }
  }

  @Test
  void shouldDrawEachTimestampOnceWhileItIsHandedOver() throws Exception {
    Set<Long> all = ConcurrentHashMap.newKeySet();
    CountDownLatch begun = new CountDownLatch(DRAWERS);
    CountDownLatch handedOver = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(DRAWERS);
    clock.start();
    try (Channel channel = fabric.openChannel(Long.BYTES)) {
      List<Future<?>> drawing = new ArrayList<>();
      for (int i = 0; i < DRAWERS; i++) {
        drawing.add(threads.submit(() -> draw(all, begun, handedOver)));
      }
      begun.await();
      SharedClock pool = clock.handOver(channel, new SystemEnvironment());
      handedOver.countDown();
      for (Future<?> each : drawing) {
        each.get();
      }
      assertEquals(pool.read(channel), clock.read(channel));
      assertTrue(all.stream().allMatch(each -> each <= pool.now()));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldRefuseRatherThanWaitIfItCannotBeHandedOver() {
    try (Channel channel = fabric.openChannel(Long.BYTES);
        Channel broken =
            new ForwardingChannel(fabric.openChannel(Long.BYTES)) {
              @Override
              public void flush() {
                throw new OutOfMemoryError("no heap");
              }
            }) {
      assertThrows(OutOfMemoryError.class, () -> clock.handOver(broken, new SystemEnvironment()));
      assertThrows(FabricException.class, () -> clock.next(channel));
      assertThrows(FabricException.class, clock::now);
    }
  }

  @Test
  void shouldNotRaiseTheClockOfThePoolByMoreThanADay() {
    long day = Timestamps.ofNanos(86_400_000_000_000L);
    PoolClock pool = new PoolClock(new SteppingEnvironment());
    long present = Timestamps.ofEpochMicros(new SteppingEnvironment().epochMicros());
    try (Channel channel = fabric.openChannel(64)) {
      long early = present - day - 1;
      pool.begin(channel, early);
      tick(pool, channel);
      assertEquals(early, pool.read(channel));
      pool.begin(channel, present - day);
      tick(pool, channel);
      assertEquals(present, pool.read(channel));
    }
  }

  private static void tick(PoolClock pool, Channel channel) {
    int mark = channel.mark();
    int offset = pool.postRead(channel);
    channel.flush();
    pool.learnRead(channel, offset);
    channel.release(mark);
    pool.tick(channel);
  }
}
