package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.ForwardingEnvironment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpAcceptorNetwork;
import org.nelumbo.dm.fabric.tcp.TcpNode;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.membership.ViewAgreement;

/**
 * A compute node pauses for longer than the lease, and is fenced by another one that cannot reach
 * memory node 0. When the paused compute node continues, it reads from node 0.
 */
@Timeout(120)
class StaleReadTest {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 8 << 20;
  private static final long LEASE_NANOS = 400_000_000L;
  private static final long FREE = 64 << 10;
  private static final long WORD = PoolAddress.of(0, 8192);

  private final SystemEnvironment system = new SystemEnvironment();
  private final StoppableProcess process = new StoppableProcess();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private final List<TcpOptions> links = new ArrayList<>();

  /** The end of a pause. */
  private interface Stop extends AutoCloseable {
    @Override
    void close();
  }

  /** A process whose threads pause where they wait, except for the thread that has paused it. */
  private static final class StoppableProcess extends ForwardingEnvironment {
    private volatile Thread own;
    private volatile CountDownLatch goesOn = new CountDownLatch(0);

    /** Pauses the process until the returned object is closed, at the latest. */
    Stop stop() {
      own = Thread.currentThread();
      goesOn = new CountDownLatch(1);
      return goesOn::countDown;
    }

    private void await() {
      if (Thread.currentThread() == own) {
        goesOn.countDown();
        return;
      }
      try {
        goesOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void backoff(int attempt) {
      await();
      super.backoff(attempt);
    }

    @Override
    public void parkNanos(long nanos) {
      await();
      super.parkNanos(nanos);
    }
  }

  /** A connector to a memory node whose connection can be cut. */
  private static final class Way implements NodeConnection.Connector {
    private final NodeConnection.Connector connector;
    private NodeConnection connection;

    Way(NodeConnection.Connector connector) {
      this.connector = connector;
    }

    @Override
    public NodeConnection connect() {
      connection = connector.connect();
      return connection;
    }

    void cut() {
      connection.close();
    }

    @Override
    public String name() {
      return connector.name();
    }
  }

  @BeforeEach
  void start() throws IOException {
    for (int node = 0; node < NODES; node++) {
      nodes.add(
          new MemoryNode(
              system,
              LocalMemory.reserve(NODE_BYTES),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT.withLeaseNanos(LEASE_NANOS)));
      nodes.get(node).start();
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private List<NodeAddress> addresses() {
    return nodes.stream().map(MemoryNode::address).toList();
  }

  private List<NodeAddress> addressesWithoutNode0() throws IOException {
    List<NodeAddress> addresses = new ArrayList<>(addresses());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      addresses.set(0, new NodeAddress("127.0.0.1", taken.getLocalPort()));
    }
    return addresses;
  }

  private ReplicatedFabric.Options options(
      Environment environment, List<NodeAddress> at, long self) {
    TcpOptions own =
        TcpOptions.of("cn" + links.size())
            .withIncarnation(self)
            .withTimeoutMillis(2_000)
            .withShortestTimeoutMillis(1_000);
    links.add(own);
    return ReplicatedFabric.Options.DEFAULT
        .withReconnectNanos(60_000_000_000L)
        .withPeers((_, _) -> fail("messages are not needed"))
        .withAgreement(
            new ViewAgreement.Options(
                new TcpAcceptorNetwork(environment, at, own),
                0,
                self,
                own.owner(),
                2_000_000_000L,
                600_000_000L));
  }

  private ReplicatedFabric open(Environment environment, List<NodeAddress> at) {
    ReplicatedFabric.Options options = options(environment, at, environment.randomLong());
    List<NodeConnection.Connector> ways = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      ways.add(TcpNode.connector(environment, at.get(node), node, links.getLast()));
    }
    return ReplicatedFabric.open(environment, ways, options);
  }

  private ReplicatedFabric openAfterLease() throws IOException {
    system.parkNanos(2 * LEASE_NANOS);
    return open(system, addressesWithoutNode0());
  }

  private ReplicatedFabric enter(List<Way> ways) {
    ReplicatedFabric.Options options = options(system, addresses(), system.randomLong());
    for (int node = 0; node < NODES; node++) {
      ways.add(new Way(TcpNode.entrance(system, addresses().get(node), node, links.getLast())));
    }
    return ReplicatedFabric.enter(system, List.copyOf(ways), options);
  }

  private static void format(ReplicatedFabric fabric, Channel channel) {
    for (int logical = 0; logical < fabric.nodeCount(); logical++) {
      channel.writeLong(PoolAddress.of(logical, SuperblockLayout.BUMP_OFFSET), FREE);
    }
    put(channel, 1);
  }

  private static void put(Channel channel, long value) {
    channel.writeLong(WORD, value);
    channel.flush();
  }

  private static long get(Channel channel) {
    channel.read(WORD, 0, Long.BYTES);
    channel.flush();
    return channel.staging().get(ValueLayout.JAVA_LONG, 0);
  }

  @Test
  void shouldNotReadStaleValueInSharedPool() {
    List<Way> ways = new ArrayList<>();
    try (ReplicatedFabric slow = open(process, addresses());
        Channel slowly = slow.openChannel(64)) {
      format(slow, slowly);
      slow.sharing().prepare(true);
      slow.sharing().share();
      try (ReplicatedFabric other = enter(ways);
          Channel channel = other.openChannel(64)) {
        assertEquals(1, get(slowly));
        try (Stop _ = process.stop()) {
          ways.getFirst().cut();
          put(channel, 2);
          assertThrows(FabricException.class, () -> get(slowly));
        }
        assertEquals(2, get(channel));
      }
    }
  }

  @Test
  void shouldNotReadStaleValueAfterTakeover() throws IOException {
    try (ReplicatedFabric slow = open(process, addresses());
        Channel first = slow.openChannel(64);
        Channel readsAtNode0 = slow.openChannel(64)) {
      format(slow, first);
      assertEquals(1, get(readsAtNode0));
      try (Stop _ = process.stop();
          ReplicatedFabric next = openAfterLease();
          Channel channel = next.openChannel(64)) {
        put(channel, 2);
        assertThrows(FabricException.class, () -> get(readsAtNode0));
      }
    }
  }
}
