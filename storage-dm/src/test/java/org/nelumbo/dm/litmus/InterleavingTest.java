package org.nelumbo.dm.litmus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

@Timeout(120)
class InterleavingTest {
  private String trace(long seed) {
    StringBuilder trace = new StringBuilder();
    Interleaving interleaving = new Interleaving(seed);
    for (String name : new String[] {"a", "b"}) {
      interleaving.actor(
          () -> {
            for (int i = 0; i < 3; i++) {
              interleaving.step();
              trace.append(name);
            }
          });
    }
    interleaving.run();
    return trace.toString();
  }

  @Test
  void shouldRunEveryOrderAndTheSameOneForTheSameSeed() {
    Set<String> traces = new HashSet<>();
    for (long seed = 0; seed < 500; seed++) {
      traces.add(trace(seed));
      assertEquals(trace(seed), trace(seed));
    }
    assertEquals(20, traces.size(), "6 steps, 3 of each: 20 orders");
  }

  @SuppressWarnings("LockNotBeforeTry") // the schedule is under test
  @Test
  void shouldPassOverActorsThatWaitForALock() {
    for (long seed = 0; seed < 100; seed++) {
      ReentrantLock lock = new ReentrantLock();
      int[] counter = new int[1];
      Interleaving interleaving = new Interleaving(seed);
      for (int a = 0; a < 3; a++) {
        interleaving.actor(
            () -> {
              lock.lock();
              try {
                int read = counter[0];
                interleaving.step();
                counter[0] = read + 1;
              } finally {
                lock.unlock();
              }
            });
      }
      interleaving.run();
      assertEquals(3, counter[0]);
    }
  }

  @Test
  void shouldReportFailuresAndDeadlocks() {
    Interleaving failing = new Interleaving(1).actor(() -> assertEquals(1, 2));
    assertThrows(AssertionError.class, failing::run);
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    Interleaving stuck = new Interleaving(1).actor(lock::lock);
    AssertionError e = assertThrows(AssertionError.class, stuck::run);
    assertTrue(e.getMessage().contains("wait for each other"));
  }

  /** Incrementing with READ and WRITE loses updates in some orders of verbs, with FAA in none. */
  @Test
  void shouldSwitchBetweenVerbs() {
    try (LocalFabric fabric = new LocalFabric(1, 1 << 20)) {
      Set<Long> byWrite = new HashSet<>();
      Set<Long> byAdd = new HashSet<>();
      for (long seed = 0; seed < 50; seed++) {
        byWrite.add(sum(fabric, seed, false));
        byAdd.add(sum(fabric, seed, true));
      }
      assertEquals(Set.of(1L, 2L), byWrite);
      assertEquals(Set.of(2L), byAdd);
    }
  }

  private static long sum(LocalFabric fabric, long seed, boolean atomic) {
    long address = PoolAddress.of(0, 4096);
    Interleaving interleaving = new Interleaving(seed);
    SteppedFabric stepped = new SteppedFabric(fabric, interleaving::step);
    try (Channel look = fabric.openChannel(64)) {
      look.writeLong(address, 0);
      for (int a = 0; a < 2; a++) {
        interleaving.actor(() -> addOne(stepped, address, atomic));
      }
      interleaving.run();
      look.read(address, 0, 8);
      look.flush();
      return look.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private static void addOne(SteppedFabric fabric, long address, boolean atomic) {
    try (Channel channel = fabric.openChannel(64)) {
      if (atomic) {
        channel.fetchAndAdd(address, 1, 0);
      } else {
        channel.read(address, 0, 8);
        channel.flush();
        channel.writeLong(address, channel.staging().get(ValueLayout.JAVA_LONG, 0) + 1);
      }
      channel.flush();
    }
  }
}
