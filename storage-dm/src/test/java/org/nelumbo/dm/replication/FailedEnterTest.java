package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpAcceptorNetwork;
import org.nelumbo.dm.fabric.tcp.TcpNode;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.TcpPeerNetwork;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.superblock.PoolFormat;

/**
 * Tests compute nodes that fail while they enter a replicated pool, at each of their flushes in
 * turn, and more often than there is room for intent entries.
 */
@Timeout(120)
class FailedEnterTest {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 24L << 20;
  private static final int ATTEMPTS_MIN = NodeHeaderLayout.INTENT_ENTRIES + 6;
  private static final int ATTEMPTS_MAX = 500;

  /**
   * Minimum number of rounds, in each of which every flush fails once. Memory that is lost in each
   * round shows only after several rounds.
   */
  private static final int ENTERED_MIN = 3;

  private static final int NEVER = Integer.MAX_VALUE;
  private static final long LEASE_NANOS = 200_000_000L;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private final List<NodeAddress> addresses = new ArrayList<>();
  private ReplicatedFabric first;

  @BeforeEach
  void share() throws IOException {
    for (int node = 0; node < NODES; node++) {
      nodes.add(
          new MemoryNode(
              environment,
              LocalMemory.reserve(NODE_BYTES),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT.withLeaseNanos(LEASE_NANOS)));
      nodes.get(node).start();
      addresses.add(nodes.get(node).address());
    }
    long tenant = environment.randomLong();
    TcpOptions links = links(tenant);
    List<NodeConnection.Connector> connectors = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      connectors.add(TcpNode.connector(environment, addresses.get(node), node, links));
    }
    first = ReplicatedFabric.open(environment, connectors, options(tenant, links));
    PoolFormat.format(first, first.poolId());
    first.sharing().prepare(true);
    first.sharing().share();
  }

  @AfterEach
  void stop() {
    first.close();
    nodes.forEach(MemoryNode::close);
  }

  private static TcpOptions links(long tenant) {
    return TcpOptions.of("somebody").withIncarnation(tenant).withTimeoutMillis(5_000);
  }

  private ReplicatedFabric.Options options(long tenant, TcpOptions links) {
    ViewAgreement.Options agreement =
        new ViewAgreement.Options(
            new TcpAcceptorNetwork(environment, addresses, links),
            0,
            tenant,
            "somebody",
            2_000_000_000L,
            600_000_000L);
    return ReplicatedFabric.Options.DEFAULT
        .withAgreement(agreement)
        .withPeers(
            (leaseNanos, self) ->
                TcpPeerNetwork.open(environment, addresses, links, tenant, leaseNanos, self));
  }

  /** A way in which a compute node fails while it enters. */
  private enum Failure {
    /** One reply is lost. */
    ONCE,

    /**
     * No memory node replies after the first failure; the departure reaches the tenant tables on
     * other connections.
     */
    FROM_THEN_ON,

    /** The process of the compute node ends. */
    DEATH
  }

  /** The thread that enters, which counts its flushes and fails at one of them. */
  private final class Entrant {
    private final Thread thread = Thread.currentThread();
    private final Failure how;
    private final List<NodeConnection> connections = new ArrayList<>();
    private int flushesLeft;
    private boolean hasFailed;

    Entrant(Failure how, int flushesLeft) {
      this.how = how;
      this.flushesLeft = flushesLeft;
    }

    ReplicatedFabric enter() {
      long tenant = environment.randomLong();
      TcpOptions links = links(tenant);
      List<NodeConnection.Connector> connectors = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        connectors.add(connector(node, links));
      }
      return ReplicatedFabric.enter(environment, connectors, options(tenant, links));
    }

    private NodeConnection.Connector connector(int node, TcpOptions links) {
      NodeConnection.Connector way =
          TcpNode.entrance(environment, addresses.get(node), node, links);
      return new NodeConnection.Connector() {
        @Override
        public NodeConnection connect() {
          NodeConnection connection = way.connect();
          connections.add(connection);
          return new FailingConnection(Entrant.this, node, connection);
        }

        @Override
        public String name() {
          return way.name();
        }

        @Override
        public String address() {
          return way.address();
        }
      };
    }

    void flush(int node, Channel channel) {
      boolean isAfter = hasFailed && how != Failure.ONCE;
      boolean isLost =
          Thread.currentThread() == thread && flushesLeft != NEVER && flushesLeft-- == 0;
      if (isAfter) {
        channel.discard();
      } else {
        channel.flush();
      }
      if (isLost) {
        hasFailed = true;
        if (how == Failure.DEATH) {
          connections.forEach(NodeConnection::abandon);
        }
      }
      if (isAfter || isLost) {
        throw new FabricException(node, "an answer was lost", null);
      }
    }
  }

  private record FailingConnection(Entrant of, int node, NodeConnection to)
      implements NodeConnection {
    @Override
    public Channel openChannel(MemorySegment staging) {
      Channel channel = to.openChannel(staging);
      return new ForwardingChannel(channel) {
        @Override
        public void flush() {
          of.flush(node, channel);
        }
      };
    }

    @Override
    public long nodeBytes() {
      return to.nodeBytes();
    }

    @Override
    public boolean isRemote() {
      return to.isRemote();
    }

    @Override
    public boolean executesFrames() {
      return to.executesFrames();
    }

    @Override
    public long epoch() {
      return to.epoch();
    }

    @Override
    public SharedPool sharing() {
      return to.sharing();
    }

    @Override
    public PoolLog log() {
      return to.log();
    }

    @Override
    public long logId() {
      return to.logId();
    }

    @Override
    public void abandon() {
      to.abandon();
    }

    @Override
    public void close() {
      if (of.how == Failure.DEATH && of.hasFailed) {
        to.abandon();
      } else {
        to.close();
      }
    }
  }

  /**
   * Fences silent tenants, as a member does that monitors the others, until no other tenant is
   * left. Each failed tenant that is not removed yet occupies an entry of its own.
   */
  private void removeTheDead() {
    List<PoolTenant> tenants = first.sharing().tenants();
    while (tenants.size() > 1) {
      for (PoolTenant each : tenants) {
        if (each.id() != first.tenant()
            && (each.silentNanos() > LEASE_NANOS || !each.isConnected())) {
          first.sharing().fence(each.id());
        }
      }
      tenants = first.sharing().tenants();
    }
  }

  private long bytesTaken() {
    long bytes = 0;
    try (Channel channel = first.openChannel(Long.BYTES)) {
      for (int node = 0; node < first.nodeCount(); node++) {
        bytes += ThreeReplicas.get(channel, PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET));
      }
    }
    return bytes;
  }

  /**
   * Lets each entrant fail one flush later than the previous one, until one succeeds; then starts
   * again.
   */
  private void assertRoomIsLeft(Failure how) {
    int flushes = 0;
    int attempts = 0;
    long takenByFirst = 0;
    long view = first.view();
    for (int entered = 0; entered < ENTERED_MIN || attempts < ATTEMPTS_MIN; attempts++) {
      assertTrue(attempts < ATTEMPTS_MAX, "nobody enters any more");
      flushes++;
      try {
        new Entrant(how, flushes - 1).enter().close();
        flushes = 0;
        entered++;
        takenByFirst = entered == 1 ? bytesTaken() : takenByFirst;
      } catch (FabricException | PoolOpenException e) {
        assertFalse(e.getMessage().contains("which is the maximum"), e::toString);
      }
      removeTheDead();
    }
    assertEquals(
        takenByFirst,
        bytesTaken(),
        () -> "bytes that were handed out, in view " + first.view() + " after view " + view);
    try (ReplicatedFabric last = new Entrant(how, NEVER).enter()) {
      assertEquals(2, last.sharing().tenants().size());
    }
  }

  @Test
  void shouldLeakNoSpaceWhenReplyIsLost() {
    assertRoomIsLeft(Failure.ONCE);
  }

  @Test
  void shouldLeakNoSpaceWhenRepliesStop() {
    assertRoomIsLeft(Failure.FROM_THEN_ON);
  }

  @Test
  void shouldLeakNoSpaceWhenJoiningNodeFails() {
    assertRoomIsLeft(Failure.DEATH);
  }
}
