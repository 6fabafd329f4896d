package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.agreement.PaxosProposer;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpAcceptorNetwork;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.PoolConfiguration;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.error.UnexpectedErrors;

/** Several compute nodes on a replicated pool on three memory nodes, some of which fail. */
class SharedCopiesNodesTest extends SharedMemoryNodesTest {
  private static final int WRITERS = 3;
  private static final long REPLY_NANOS = 5_000_000_000L;

  @Override
  int memoryNodes() {
    return 3;
  }

  @Override
  int copies() {
    return 3;
  }

  /** Runs transfers until the pool is lost. Other members must undo the unfinished ones. */
  private void transferUntilLost(LocalDatabase database, int seed, CountDownLatch begun) {
    try {
      for (int i = 0; ; i++) {
        transfer(database, seed + i, 2);
        begun.countDown();
      }
    } catch (NelumboException | FabricException e) {
      assertTrue(LOST.contains(UnexpectedErrors.of(e).code()), e.toString());
    } finally {
      begun.countDown();
    }
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
  void shouldCompleteFlushesOfFailedMember() throws Exception {
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
    check(open()); // other nodes have copies of the first node's data
  }

  /** The failure of a memory node only delays the transfers. */
  @Test
  void shouldContinueAfterMemoryNodeFailure() throws Exception {
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

  /** After the restarted memory node is filled, other nodes can fail without loss of data. */
  @Test
  void shouldRefillRestartedMemoryNode() throws Exception {
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

  /**
   * A member failed after a view was decided. The next member to join needs that view to be in
   * force.
   */
  @Test
  void shouldAdmitMemberAfterDecidedButUninstalledView() throws Exception {
    LocalDatabase first = open();
    load(first);
    LocalDatabase second = open();
    decideWithoutTheFirstNode();
    LocalDatabase third = open();
    transfer(second, 1, 10);
    check(third);
    awaitCopies(third, 3);
  }

  private void decideWithoutTheFirstNode() throws NoMajorityException {
    Environment environment = new SystemEnvironment();
    AcceptorNetwork network =
        new TcpAcceptorNetwork(
            environment,
            memory.stream().map(MemoryNode::address).toList(),
            TcpOptions.of("who dies"));
    PaxosProposer proposer = new PaxosProposer(environment, network, 1, REPLY_NANOS);
    proposer.inquire(memoryNodes(), _ -> true);
    long before = proposer.known().number();
    proposer.change(
        latest -> latest.number() == before ? withoutTheFirstNode(latest) : null,
        environment.nanoTime() + REPLY_NANOS);
  }

  private static Decision withoutTheFirstNode(Decision latest) {
    PoolConfiguration now = PoolConfiguration.decode(latest.content());
    return latest.next(latest.acceptors(), now.without(now.view() + 1, 1).encode());
  }

  /** One of three memory nodes is no majority. */
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
