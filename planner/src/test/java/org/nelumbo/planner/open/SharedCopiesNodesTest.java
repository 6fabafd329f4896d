package org.nelumbo.planner.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/** Several compute nodes on a pool with copies on three memory nodes, of which some fail. */
class SharedCopiesNodesTest extends SharedMemoryNodesTest {
  private static final String OFFER = "nelumbo.shareCopies";
  private static final int WRITERS = 3;

  @BeforeAll
  static void offer() {
    System.setProperty(OFFER, "true");
  }

  @AfterAll
  static void offerNoLonger() {
    System.clearProperty(OFFER);
  }

  @Override
  int memoryNodes() {
    return 3;
  }

  @Override
  int copies() {
    return 3;
  }

  /** Transfers until the pool is lost; what was half done is nobody's to undo but the others'. */
  private void transferUntilLost(LocalDatabase database, int seed, CountDownLatch begun) {
    try {
      for (int i = 0; ; i++) {
        transfer(database, seed + i, 2);
        begun.countDown();
      }
    } catch (NelumboException e) {
      assertTrue(isLoss(e), e.toString());
    } catch (FabricException e) {
      assertTrue(e.getMessage().contains("the pool is lost"), e.toString());
    } finally {
      begun.countDown();
    }
  }

  private static boolean isLoss(NelumboException e) {
    return e.code() == ErrorCode.CONNECTION_LOST
        || e.code() == ErrorCode.CONNECTION_CLOSED
        || e.code() == ErrorCode.OUTCOME_UNKNOWN;
  }

  private List<Future<?>> startWriters(LocalDatabase database, CountDownLatch begun) {
    List<Future<?>> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int seed = 3 * i;
      writers.add(clients.submit(() -> transferUntilLost(database, seed, begun)));
    }
    return writers;
  }

  @Test
  void shouldEndTheFlushesOfOneThatDiesInTheMiddle() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    CountDownLatch begun = new CountDownLatch(WRITERS);
    List<Future<?>> writers = startWriters(second, begun);
    begun.await();
    second.engine().stop(new IllegalStateException("something is wrong"));
    transfer(first, 1, 20);
    for (Future<?> each : writers) {
      each.get();
    }
    check(first);
    first.close();
    memory.getFirst().close();
    check(open()); // what was at the first memory node, others have
  }

  /** Nobody notices but by the time it takes. */
  @Test
  void shouldGoOnWithoutAMemoryNodeThatDies() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    CountDownLatch begun = new CountDownLatch(2 * WRITERS);
    List<Future<Integer>> writers = new ArrayList<>();
    AtomicBoolean isOver = new AtomicBoolean();
    for (LocalDatabase each : List.of(first, second)) {
      for (int i = 0; i < WRITERS; i++) {
        int seed = 3 * i;
        writers.add(clients.submit(() -> transferUntil(isOver, each, seed, begun)));
      }
    }
    begun.await();
    memory.getFirst().close();
    transfer(first, 1, 10);
    transfer(second, 2, 10);
    isOver.set(true);
    for (Future<Integer> each : writers) {
      each.get();
    }
    for (LocalDatabase each : List.of(first, second, open())) {
      check(each);
      assertTrue(each.engine().isShared());
      assertEquals(2, each.engine().fabric().liveCopies());
    }
  }

  /** Then others can fail, and nothing is lost. */
  @Test
  void shouldFillAMemoryNodeThatComesBack() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    CountDownLatch begun = new CountDownLatch(2 * WRITERS);
    List<Future<Integer>> writers = new ArrayList<>();
    AtomicBoolean isOver = new AtomicBoolean();
    for (LocalDatabase each : List.of(first, second)) {
      for (int i = 0; i < WRITERS; i++) {
        int seed = 3 * i;
        writers.add(clients.submit(() -> transferUntil(isOver, each, seed, begun)));
      }
    }
    begun.await();
    NodeAddress address = memory.getFirst().address();
    memory.getFirst().close();
    transfer(first, 1, 10);
    transfer(second, 2, 10);
    memory.set(0, started(address));
    awaitCopies(first, 3);
    awaitCopies(second, 3);
    memory.getLast().close();
    transfer(first, 1, 10);
    transfer(second, 2, 10);
    isOver.set(true);
    for (Future<Integer> each : writers) {
      each.get();
    }
    for (LocalDatabase each : List.of(first, second, open())) {
      check(each);
      assertEquals(2, each.engine().fabric().liveCopies());
    }
  }

  private static void awaitCopies(LocalDatabase database, int copies) {
    Environment environment = new SystemEnvironment();
    for (int attempt = 0; database.engine().fabric().liveCopies() < copies; attempt++) {
      assertTrue(database.isReachable());
      environment.backoff(attempt);
    }
  }

  private static int transferUntil(
      AtomicBoolean isOver, LocalDatabase database, int seed, CountDownLatch begun) {
    int again = 0;
    for (int i = 0; !isOver.get(); i++) {
      again += transfer(database, seed + i, 2);
      begun.countDown();
    }
    return again;
  }

  /** Of three one alone is no majority. */
  @Test
  void shouldLoseThePoolTogetherAndOpenItAgain() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    CountDownLatch begun = new CountDownLatch(2 * WRITERS);
    List<Future<?>> writers = startWriters(first, begun);
    writers.addAll(startWriters(second, begun));
    begun.await();
    memory.get(1).close();
    transfer(first, 1, 2);
    memory.get(2).close();
    for (Future<?> each : writers) {
      each.get();
    }
    assertFalse(first.isReachable());
    assertFalse(second.isReachable());
  }
}
