package org.nelumbo.dm.redo.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/** Tests a {@link ReplicatedLog} over the logs of two memory nodes. */
@Timeout(60)
class ReplicatedNodeLogTest extends NodeLogFixture {
  /**
   * When the target of a log copy fails, the copy is closed and the live node may compact its files
   * again.
   */
  @Test
  void shouldReleaseSourceLogWhenCopyTargetFails() throws IOException {
    try (NodeLog log = start(new MemoryDisk())) {
      RedoReceiver receiver = log.receiver();
      commit(sender(receiver), 1);
      PoolLog gone =
          (PoolLog)
              Proxy.newProxyInstance(
                  PoolLog.class.getClassLoader(),
                  new Class<?>[] {PoolLog.class},
                  (proxy, method, arguments) -> {
                    throw new FabricException(1, "it is gone", null);
                  });
      Placement placement = new Placement(2, 2, 1, 1 << 20);
      View view =
          new View(
              1,
              placement,
              new NodeConnection[] {node(new ReceiverLog(receiver)), node(gone)},
              new ResyncProgress[] {null, new ResyncProgress(placement.slots())});
      CurrentView current = new CurrentView(environment, view, 1 << 16);
      ReplicatedLog logs =
          new ReplicatedLog(
              environment, current, 1_000_000, false, new Sharing(environment, current));
      while (!current.hasSuspects()) { // the live node may be about to search for a checkpoint
        assertFalse(logs.join(view, 1));
      }
      assertTrue(log.digest());
    }
  }

  /** The node would have the last frame of the transaction without the frames before it. */
  @Test
  void shouldNotAdmitNodeDuringTransaction() throws IOException {
    MemoryDisk disk = new MemoryDisk();
    MemoryDisk otherDisk = new MemoryDisk();
    try (NodeLog log = start(disk)) {
      NodeLog other = start(otherDisk);
      Placement placement = new Placement(2, 2, 1, 1 << 20);
      View view =
          new View(
              1,
              placement,
              new NodeConnection[] {
                node(new ReceiverLog(log.receiver())), node(new ReceiverLog(other.receiver()))
              },
              new ResyncProgress[] {null, new ResyncProgress(placement.slots())});
      CurrentView current = new CurrentView(environment, view, 1 << 16);
      ReplicatedLog logs =
          new ReplicatedLog(
              environment, current, 1_000_000, false, new Sharing(environment, current));
      RedoSender sender = new RedoSender(logs);
      long transaction = TransactionId.of(1, 1, 1);
      sender.begin();
      entry.begin();
      add(3, "part", "y");
      sender.part(entry, transaction);
      for (int attempt = 0; attempt < 200; attempt++) {
        assertFalse(logs.join(view, 1));
      }
      entry.begin();
      add(3, "end", "z");
      sender.commit(entry, transaction, 5, Durability.COMMIT);
      while (!logs.join(view, 1)) {
        assertFalse(current.hasSuspects());
      }
      assertEquals(rows(disk), rows(otherDisk));
      other.close();
    }
  }

  /**
   * At each moment some transaction of several frames is in progress, so that no log checkpoint
   * could ever be taken, and the logs would grow without limit.
   */
  @Test
  void shouldDelayMultiFrameTransactionsUntilMarkIsTaken() throws Exception {
    try (NodeLog log = start(new MemoryDisk());
        NodeLog other = start(new MemoryDisk())) {
      View view =
          new View(
              1,
              new Placement(2, 2, 1, 1 << 20),
              new NodeConnection[] {node(connections(log)), node(connections(other))},
              new ResyncProgress[2]);
      CurrentView current = new CurrentView(environment, view, 1 << 16);
      ReplicatedLog logs =
          new ReplicatedLog(
              environment, current, 100_000, false, new Sharing(environment, current));
      logs.start();
      AtomicInteger begun = new AtomicInteger();
      AtomicInteger slots = new AtomicInteger();
      Callable<Void> commits =
          () -> {
            RedoSender sender = new RedoSender(logs);
            RedoEntry own = new RedoEntry();
            long transaction = TransactionId.of(1, slots.incrementAndGet(), 1);
            while (log.logCheckpoints().length == Long.BYTES) {
              sender.begin();
              own.begin();
              sender.part(own, transaction);
              awaitMore(begun, begun.incrementAndGet());
              own.begin();
              sender.commit(own, transaction, 1, Durability.INTERVAL);
            }
            return null;
          };
      try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
        for (Future<Void> each : threads.invokeAll(List.of(commits, commits))) {
          each.get();
        }
      }
      logs.stop();
      logs.close();
      assertArrayEquals(
          Arrays.copyOfRange(log.logCheckpoints(), 8, 16),
          Arrays.copyOfRange(other.logCheckpoints(), 8, 16));
    }
  }

  /**
   * Waits until another thread has begun a transaction, or for 200 ms if all others are held back.
   */
  private static void awaitMore(AtomicInteger begun, int own) throws InterruptedException {
    for (int pauses = 0; begun.get() == own && pauses < 200; pauses++) {
      Thread.sleep(1);
    }
  }

  /** Returns a log with one connection per appender. */
  private static PoolLog connections(NodeLog log) {
    return (PoolLog)
        Proxy.newProxyInstance(
            PoolLog.class.getClassLoader(),
            new Class<?>[] {PoolLog.class},
            (proxy, method, arguments) ->
                method.invoke(new ReceiverLog(log.receiver()), arguments));
  }

  /** Returns a connection to a memory node that supports nothing but the log. */
  private static NodeConnection node(PoolLog log) {
    return new NodeConnection() {
      @Override
      public Channel openChannel(MemorySegment staging) {
        throw new UnsupportedOperationException();
      }

      @Override
      public long nodeBytes() {
        return 0;
      }

      @Override
      public boolean isRemote() {
        return false;
      }

      @Override
      public PoolLog log() {
        return log;
      }

      @Override
      public void close() {}
    };
  }
}
