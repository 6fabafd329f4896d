package org.nelumbo.planner.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/** Several compute nodes on a pool with copies on three memory nodes, of which some fail. */
class SharedCopiesNodesTest extends SharedMemoryNodesTest {
  private static final int WRITERS = 3;

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

  @Test
  void shouldLoseAMemoryNodeTogetherAndGoOnWithoutIt() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    CountDownLatch begun = new CountDownLatch(2 * WRITERS);
    List<Future<?>> writers = startWriters(first, begun);
    writers.addAll(startWriters(second, begun));
    begun.await();
    memory.get(1).close();
    for (Future<?> each : writers) {
      each.get();
    }
    assertFalse(first.isReachable());
    assertFalse(second.isReachable());
    List<Future<LocalDatabase>> opening = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      opening.add(clients.submit(this::open));
    }
    for (Future<LocalDatabase> each : opening) {
      LocalDatabase again = each.get();
      transfer(again, 1, 20);
      check(again);
      assertTrue(again.engine().isShared());
      assertEquals(2, again.engine().fabric().liveCopies());
    }
  }
}
