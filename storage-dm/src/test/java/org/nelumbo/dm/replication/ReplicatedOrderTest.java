package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.Channel;

/**
 * Tests what a channel can read of the flush of another channel that has reached only some copies.
 */
@Timeout(180)
class ReplicatedOrderTest extends ThreeReplicas {
  /**
   * Number of verbs after which the first window of a node has been filled, and the last one has
   * not.
   */
  private static final int HALF_FILLED_VERBS = 24;

  /**
   * Each reader reads the copy of another memory node. A value that one reader has seen is visible
   * to every later read.
   */
  @Test
  void shouldNeverReadOlderValueThanEarlierRead() throws Exception {
    ReplicatedFabric fabric = open();
    AtomicLong seen = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> readers = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    for (int reader = 0; reader < NODES; reader++) {
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Channel channel = fabric.openChannel(64)) {
                      while (!stop.get()) {
                        long least = seen.get();
                        long value = get(channel, word(0, 0));
                        assertTrue(value >= least, () -> value + " after " + least);
                        seen.accumulateAndGet(value, Math::max);
                      }
                    } catch (RuntimeException | Error e) {
                      synchronizedAdd(failures, e);
                    }
                  }));
    }
    try (Channel channel = fabric.openChannel(64)) {
      for (long value = 1; value <= 100_000; value++) {
        put(channel, word(0, 0), value);
      }
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertEquals(List.of(), failures);
    assertTrue(seen.get() > 0);
  }

  /**
   * A flush is incomplete: the primary has executed its CAS, the other copies have not. A read that
   * begins now must see the CAS, whatever copy it uses otherwise, because the verbs after the CAS
   * may have missed an earlier write of the reader.
   */
  @Test
  void shouldReadChangeThatOnlyPrimaryHasExecuted() throws Exception {
    ReplicatedFabric fabric = open();
    for (int home = 0; home < NODES; home++) {
      CountDownLatch primaryHasIt = new CountDownLatch(1);
      CountDownLatch hasRead = new CountDownLatch(1);
      Thread writer =
          Thread.ofPlatform()
              .name("writer")
              .unstarted(
                  () -> {
                    try (Channel channel = fabric.openChannel(64)) {
                      add(channel, word(0, 0));
                    }
                  });
      nodes.setBeforeVerb(
          node -> {
            if (Thread.currentThread() == writer && node != 0) {
              primaryHasIt.countDown();
              awaitLatch(hasRead);
            }
          });
      long[] seen = {-1};
      Thread reader =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    try (Channel channel = fabric.openChannel(64)) {
                      seen[0] = get(channel, word(0, 0));
                    }
                  });
      writer.start();
      primaryHasIt.await();
      long before = Arrays.stream(verbs()).sum();
      reader.start();
      while (Arrays.stream(verbs()).sum() < before + 2) {
        Thread.onSpinWait();
      }
      hasRead.countDown();
      reader.join();
      writer.join();
      assertEquals(home + 1, seen[0]);
    }
  }

  /**
   * A flush has changed one word at the primary and has read another one there; the other copies
   * have nothing yet. Then the primary fails. Another channel changes the other word and then reads
   * the first one. At least one of the two must see the write of the other.
   */
  @Test
  void shouldForbidStoreBufferingWhenPrimaryFails() throws Exception {
    ReplicatedFabric fabric = open();
    long mine = word(0, 0);
    long yours = word(0, 1);
    CountDownLatch primaryHasIt = new CountDownLatch(1);
    CountDownLatch hasRead = new CountDownLatch(1);
    long[] seen = {-1, -1};
    Thread one =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try (Channel channel = fabric.openChannel(64)) {
                    channel.fetchAndAdd(mine, 1, 0);
                    channel.read(yours, 8, 8);
                    channel.flush();
                    seen[0] = channel.staging().get(ValueLayout.JAVA_LONG, 8);
                  }
                });
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread() == one && node != 0 && hasRead.getCount() > 0) {
            primaryHasIt.countDown();
            awaitLatch(hasRead);
          }
        });
    one.start();
    primaryHasIt.await();
    nodes.kill(0);
    try (Channel channel = fabric.openChannel(64)) {
      add(channel, yours);
    }
    long before = nodes.verbs(1) + nodes.verbs(2);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Channel channel = fabric.openChannel(64)) {
                    seen[1] = get(channel, mine);
                  }
                });
    while (nodes.verbs(1) + nodes.verbs(2) < before + 2) {
      Thread.onSpinWait();
    }
    hasRead.countDown();
    one.join();
    other.join();
    assertTrue(seen[0] == 1 || seen[1] == 1, () -> "they missed each other");
  }

  /**
   * While a flush is in progress, the node that is being filled becomes live, and then the only
   * other live node fails. The result of the FAA is known from the node that was being filled.
   */
  @Test
  void shouldTakeAtomicResultFromNodeBeingFilled() throws Exception {
    ReplicatedFabric fabric = open();
    try (Channel channel = fabric.openChannel(64)) {
      add(channel, word(0, 0));
      nodes.kill(0);
      nodes.kill(2);
      add(channel, word(0, 0));
    }
    CountDownLatch isHalfFilled = new CountDownLatch(1);
    CountDownLatch goOnFilling = new CountDownLatch(1);
    CountDownLatch isOnItsWay = new CountDownLatch(1);
    CountDownLatch otherIsDead = new CountDownLatch(1);
    long[] old = {-1};
    Thread adder =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  try (Channel channel = fabric.openChannel(64)) {
                    old[0] = add(channel, word(0, 0));
                  }
                });
    int[] viewVerbs = {0};
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread() == adder && node == 1 && otherIsDead.getCount() > 0) {
            isOnItsWay.countDown();
            awaitLatch(otherIsDead);
          } else if (Thread.currentThread().getName().contains("nelumbo-views") && node == 0) {
            if (++viewVerbs[0] == HALF_FILLED_VERBS) {
              isHalfFilled.countDown();
              awaitLatch(goOnFilling);
            }
          }
        });
    nodes.restartEmpty(0);
    isHalfFilled.await();
    adder.start();
    isOnItsWay.await();
    assertEquals(0b010, fabric.liveNodes());
    goOnFilling.countDown();
    await(fabric, 0b011);
    nodes.kill(1);
    otherIsDead.countDown();
    adder.join();
    assertEquals(2, old[0]);
    try (Channel channel = fabric.openChannel(64)) {
      assertEquals(3, get(channel, word(0, 0)));
    }
  }

  private static synchronized void synchronizedAdd(List<Throwable> failures, Throwable failure) {
    failures.add(failure);
  }
}
