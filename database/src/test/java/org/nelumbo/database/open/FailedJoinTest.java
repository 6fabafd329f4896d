package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.replication.RemotePool;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.error.NelumboException;

/**
 * Lets a compute node fail at each of its flushes in turn, while it joins the members of a shared
 * pool.
 */
@Timeout(120)
class FailedJoinTest {
  private static final int NEVER = Integer.MAX_VALUE;
  private static final Environment ENVIRONMENT = new SystemEnvironment();

  private final List<MemoryNode> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private void start(int memoryNodes) throws IOException {
    for (int node = 0; node < memoryNodes; node++) {
      nodes.add(
          new MemoryNode(
              ENVIRONMENT,
              LocalMemory.reserve(64 << 20),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT));
      nodes.get(node).start();
    }
  }

  /** A fabric that fails at one of the flushes of the thread that opens it. */
  private static final class FailingFabric extends ForwardingFabric {
    private final Thread thread = Thread.currentThread();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean isClosed;
    private int flushesLeft;

    FailingFabric(Fabric fabric, int flushesLeft) {
      super(fabric);
      this.flushesLeft = flushesLeft;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      Channel channel = super.openChannel(stagingBytes);
      open.incrementAndGet();
      return new ForwardingChannel(channel) {
        @Override
        public void flush() {
          super.flush();
          boolean isCounted = Thread.currentThread() == thread && flushesLeft != NEVER;
          if (isCounted && flushesLeft-- == 0) {
            throw new FabricException("an answer was lost", null);
          }
        }

        @Override
        public void close() {
          open.decrementAndGet();
          super.close();
        }
      };
    }

    @Override
    public void close() {
      isClosed = true;
      super.close();
    }
  }

  private FailingFabric fabric;

  private LocalDatabase open(int flushesLeft) {
    return DatabaseOpener.attach(
        DatabaseOptions.defaults(),
        ENVIRONMENT,
        "test",
        "",
        () -> {
          fabric =
              new FailingFabric(
                  RemotePool.open(
                      ENVIRONMENT,
                      nodes.stream().map(MemoryNode::address).toList(),
                      TcpOptions.of("test"),
                      "",
                      WantedPool.of(nodes.size(), 0),
                      List.of()),
                  flushesLeft);
          return new FailStopFabric(fabric);
        });
  }

  /**
   * Closes a database. If it opened in spite of the failed flush, it may have lost the pool
   * already.
   */
  private static void close(LocalDatabase database, boolean isLost) {
    try {
      database.close();
    } catch (FabricException e) {
      assertTrue(isLost, e::toString);
    }
  }

  /** Waits until the other members have left completely. */
  private static void awaitAlone(LocalDatabase database) {
    for (int attempt = 0; database.engine().fabric().sharing().tenants().size() > 1; attempt++) {
      ENVIRONMENT.backoff(attempt);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldCleanUpAfterFailureAtAnyFlush(int memoryNodes) throws IOException {
    start(memoryNodes);
    try (LocalDatabase first = open(NEVER)) {
      try (Sql sql = new Sql(first)) {
        sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
      }
      open(NEVER).close();
      int flushes = 0;
      for (boolean fails = true; fails; flushes++) {
        try {
          LocalDatabase joined = open(flushes);
          fails = fabric.flushesLeft < 0;
          fabric.flushesLeft = NEVER;
          close(joined, fails);
        } catch (NelumboException e) {
          assertEquals("08001", e.sqlState(), e.toString());
        }
        assertEquals(0, fabric.open.get(), "channels open after flush " + flushes + " has failed");
        assertTrue(fabric.isClosed, "the fabric is closed");
      }
      assertTrue(flushes > 10, flushes + " flushes");
      awaitAlone(first);
    }
  }
}
