package org.nelumbo.simulation.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.simulation.trace.Trace;

@Timeout(60)
class SimWorldTest {
  private SimWorld world = new SimWorld(1, Trace.hashing());
  private SimNode node = world.addNode("cn0");

  @AfterEach
  void close() {
    world.close();
  }

  private SimulationFailure failure() {
    return assertThrows(SimulationFailure.class, () -> world.run());
  }

  @Test
  void shouldAdvanceTimeOnlyByWaiting() {
    Environment environment = node.environment();
    world.run(
        node,
        "sleeper",
        () -> {
          assertEquals(0, environment.nanoTime());
          environment.parkNanos(1_000);
          assertEquals(1_000, environment.nanoTime());
          environment.backoff(0);
          assertTrue(environment.nanoTime() > 1_000 && environment.nanoTime() <= 1_100);
        });
  }

  @Test
  void shouldDeriveInterleavingFromSeed() {
    List<List<String>> orders = new ArrayList<>();
    for (long seed : new long[] {1, 1, 2}) {
      orders.add(order(seed));
    }
    assertEquals(orders.get(0), orders.get(1));
    assertNotEquals(orders.get(0), orders.get(2));
  }

  private static List<String> order(long seed) {
    List<String> order = new ArrayList<>();
    try (SimWorld own = new SimWorld(seed, Trace.hashing())) {
      SimNode cn = own.addNode("cn");
      for (int i = 0; i < 5; i++) {
        String name = "t" + i;
        own.spawn(
            cn,
            name,
            () -> {
              for (int step = 0; step < 5; step++) {
                order.add(name);
                cn.environment().parkNanos(10);
              }
            });
      }
      own.run();
    }
    return order;
  }

  @Test
  void shouldReportDeadlockWithWaitersAndStacks() {
    ReentrantLock first = new ReentrantLock();
    ReentrantLock second = new ReentrantLock();
    world.spawn(node, "a", () -> lockBoth(first, second));
    world.spawn(node, "b", () -> lockBoth(second, first));
    SimulationFailure failure = failure();
    assertEquals(SimulationFailure.Kind.STALLED, failure.kind());
    assertTrue(failure.getMessage().contains("cn0/a PARKED on java.util.concurrent"));
    assertTrue(failure.getMessage().contains("SimWorldTest.lockBoth"), failure.getMessage());
  }

  private void lockBoth(ReentrantLock one, ReentrantLock other) {
    one.lock();
    try {
      node.environment().parkNanos(100);
      other.lock();
      try {
        throw new IllegalStateException("both locks are held");
      } finally {
        other.unlock();
      }
    } finally {
      one.unlock();
    }
  }

  @Test
  void shouldReportDeadlockWhileBackgroundThreadsTick() {
    node.environment().thread("ticker", () -> tick(node.environment())).start();
    world.spawn(node, "a", () -> new CountDownLatch(1).await());
    assertEquals(SimulationFailure.Kind.STALLED, failure().kind());
  }

  private static void tick(Environment environment) {
    while (true) {
      environment.parkNanos(1_000_000);
    }
  }

  @Test
  void shouldEndARunThatPassesItsLimits() {
    world.setLimits(1_000_000, 1_000_000_000);
    world.spawn(node, "waiter", () -> tick(node.environment()));
    assertEquals(SimulationFailure.Kind.TIME_LIMIT, failure().kind());
  }

  @Test
  void shouldEndARunThatPollsForEver() {
    world.setLimits(Long.MAX_VALUE, 10_000);
    world.spawn(
        node,
        "poller",
        () -> {
          while (true) {
            Thread.yield();
          }
        });
    assertEquals(SimulationFailure.Kind.STEP_LIMIT, failure().kind());
  }

  @Test
  void shouldNameTheTaskThatFailed() {
    world.spawn(
        node,
        "loser",
        () -> {
          throw new IllegalStateException("on purpose");
        });
    SimulationFailure failure = failure();
    assertEquals(SimulationFailure.Kind.TASK_FAILED, failure.kind());
    assertTrue(failure.getMessage().startsWith("cn0/loser failed"), failure.getMessage());
    assertEquals("on purpose", failure.getCause().getMessage());
  }

  @Test
  void shouldRefuseForeignThreads() {
    world.spawn(
        node,
        "cheat",
        () -> {
          Thread self = Thread.currentThread();
          Thread foreign = new Thread(() -> LockSupport.unpark(self));
          world.at(
              world.now() + 10,
              () -> {
                foreign.start();
                joinQuietly(foreign);
              });
          LockSupport.park();
        });
    world.spawn(node, "other", () -> node.environment().parkNanos(100));
    SimulationFailure failure = failure();
    assertEquals(SimulationFailure.Kind.FOREIGN_THREAD, failure.kind());
    assertTrue(failure.getMessage().contains("outside of the world"));
  }

  /** An example is a cleaner of the JDK, whose list is guarded by a monitor. */
  @Test
  void shouldWaitForMonitorHeldByForeignThread() {
    assertGoesOnAfterMonitor(() -> {});
  }

  /** The carrier then resumes the simulated thread, not the helper thread of the JDK. */
  @Test
  void shouldWaitForForeignMonitorFreedAtStepEnd() {
    assertGoesOnAfterMonitor(SimWorldTest::tellThatItsMonitorIsFree);
  }

  /** An example is a thread with a large stack that plans a statement. */
  @Test
  void shouldWaitForTheEndOfAForeignThread() {
    List<String> order = new ArrayList<>();
    world.spawn(
        node,
        "joining",
        () -> {
          Thread joining = Thread.currentThread();
          Thread foreign = new Thread(() -> awaitState(joining, Thread.State.WAITING));
          foreign.start();
          foreign.join();
          order.add("joined at " + world.now());
        });
    world.spawn(
        node,
        "other",
        () -> {
          node.environment().parkNanos(50);
          order.add("other");
        });
    world.run();
    assertEquals(List.of("joined at 0", "other"), order);
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }

  private static void tellThatItsMonitorIsFree() throws ReflectiveOperationException {
    Field permit = Thread.currentThread().getClass().getDeclaredField("blockPermit");
    permit.setAccessible(true);
    permit.setBoolean(Thread.currentThread(), true);
  }

  private void assertGoesOnAfterMonitor(SimTaskBody before) {
    Object monitor = new Object();
    List<String> order = new ArrayList<>();
    CountDownLatch held = new CountDownLatch(1);
    Thread[] blocked = new Thread[1];
    Thread foreign =
        new Thread(
            () -> {
              synchronized (monitor) {
                held.countDown();
                while (blocked[0] == null || blocked[0].getState() != Thread.State.BLOCKED) {
                  Thread.onSpinWait();
                }
              }
            });
    world.spawn(
        node,
        "blocked",
        () -> {
          blocked[0] = Thread.currentThread();
          foreign.start();
          while (held.getCount() > 0) {
            Thread.onSpinWait();
          }
          before.run();
          synchronized (monitor) {
            order.add("blocked at " + world.now());
          }
          node.environment().parkNanos(100);
          order.add("later");
        });
    world.spawn(
        node,
        "other",
        () -> {
          node.environment().parkNanos(50);
          order.add("other");
        });
    world.run();
    assertEquals(List.of("blocked at 0", "other", "later"), order);
  }

  private static void joinQuietly(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void shouldEndAParkEarlyWhenUnparked() {
    world.run(
        node,
        "waker",
        () -> {
          long[] woken = new long[1];
          SimTask sleeper =
              world.spawn(
                  node,
                  "sleeper",
                  () -> {
                    node.environment().parkNanos(1_000_000);
                    woken[0] = world.now();
                  });
          node.environment().parkNanos(500);
          LockSupport.unpark(sleeper.thread());
          sleeper.thread().join();
          assertEquals(500, woken[0]);
        });
  }

  @Test
  void shouldReportLocksHeldAcrossWaits() {
    ReentrantLock lock = new ReentrantLock();
    for (String name : List.of("a", "b")) {
      world.spawn(
          node,
          name,
          () -> {
            lock.lock();
            try {
              world.sleepUntil(world.now() + 100);
            } finally {
              lock.unlock();
            }
          });
    }
    world.run();
    assertEquals(1, world.locksHeldAcrossWaits().size());
    assertTrue(world.locksHeldAcrossWaits().get(0).contains("waits for a lock held across a wait"));
  }

  @Test
  void shouldRunNoStepOfStoppedTask() {
    boolean[] cleanedUp = new boolean[1];
    SimTask victim =
        world.spawn(
            node,
            "victim",
            () -> {
              try {
                node.environment().parkNanos(1_000);
              } finally {
                cleanedUp[0] = !world.tasks().get(0).isStopped();
              }
            });
    world.spawn(
        node,
        "killer",
        () -> {
          node.environment().parkNanos(500);
          world.stop(victim);
          node.environment().parkNanos(5_000);
        });
    world.run();
    assertTrue(victim.isStopped());
    assertFalse(cleanedUp[0]);
  }

  @Test
  void shouldDelayPausedTask() {
    long[] woken = new long[1];
    SimTask slow =
        world.spawn(
            node,
            "slow",
            () -> {
              node.environment().parkNanos(100);
              woken[0] = world.now();
            });
    world.spawn(
        node,
        "other",
        () -> {
          slow.pauseUntil(10_000);
          node.environment().parkNanos(20_000);
        });
    world.run();
    assertEquals(10_000, woken[0]);
  }

  @Test
  void shouldLetClocksDrift() {
    SimNode fast = world.addNode("fast");
    fast.setClock(5_000_000, 100);
    world.run(
        node,
        "looker",
        () -> {
          node.environment().parkNanos(1_000_000_000);
          assertEquals(1_000_100_000, fast.environment().nanoTime());
          long ahead = fast.environment().epochMicros() - node.environment().epochMicros();
          assertEquals(5_100, ahead);
        });
  }

  @Test
  void shouldRunSeveralWorldsSideBySide() throws Exception {
    List<List<String>> orders = new ArrayList<>(List.of(List.of(), List.of()));
    List<Thread> carriers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      int which = i;
      carriers.add(Thread.ofPlatform().start(() -> orders.set(which, order(9))));
    }
    for (Thread carrier : carriers) {
      carrier.join();
    }
    assertEquals(25, orders.get(0).size());
    assertEquals(orders.get(0), orders.get(1));
  }
}
