package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpNode;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A compute node that was silent for too long, and whose pool another has taken over by the memory
 * nodes that this one can reach, while the first still has one that the other cannot.
 */
@Timeout(60)
class TakenOverTest {
  private static final long NODE_BYTES = 1 << 20;
  private static final long WORD = PoolAddress.of(0, 8192);
  private static final int NODES = 3;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();

  @BeforeEach
  void startNodes() throws IOException {
    for (int node = 0; node < NODES; node++) {
      nodes.add(startNode(new NodeAddress("127.0.0.1", 0)));
    }
  }

  /** It takes whoever lives for dead. */
  private MemoryNode startNode(NodeAddress address) throws IOException {
    MemoryNode node =
        new MemoryNode(
            environment,
            LocalMemory.reserve(NODE_BYTES),
            address,
            MemoryNode.Options.DEFAULT.withLeaseNanos(0));
    node.start();
    return node;
  }

  @AfterEach
  void stopNodes() {
    nodes.forEach(MemoryNode::close);
  }

  private ReplicatedFabric open(String owner, List<NodeAddress> addresses) {
    List<NodeConnection.Connector> connectors = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      connectors.add(
          TcpNode.connector(environment, addresses.get(node), node, TcpFabric.Options.of(owner)));
    }
    return ReplicatedFabric.open(
        environment, connectors, ReplicatedFabric.Options.DEFAULT.withReconnectNanos(10_000_000L));
  }

  private List<NodeAddress> addresses() {
    return new ArrayList<>(nodes.stream().map(MemoryNode::address).toList());
  }

  private static NodeAddress nowhere() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new NodeAddress("127.0.0.1", taken.getLocalPort());
    }
  }

  private static void put(Channel channel, long value) {
    channel.writeLong(WORD, value);
    channel.flush();
  }

  @Test
  void shouldEndWhenANodeServesSomebodyElse() throws IOException {
    try (ReplicatedFabric first = open("process A", addresses());
        Channel channel = first.openChannel(64)) {
      put(channel, 1);
      long before = first.view();
      List<NodeAddress> others = addresses();
      others.set(0, nowhere());
      try (ReplicatedFabric second = open("process B", others);
          Channel next = second.openChannel(64)) {
        put(next, 2);
        FabricException e = assertThrows(FabricException.class, () -> put(channel, 3));
        assertTrue(e.getMessage().contains("serves process B now"), e.getMessage());
        assertTrue(first.replicationStatus().lost());
        assertEquals(before, first.view(), "a view was put in force after the pool was lost");
        put(next, 4);
        assertFalse(second.replicationStatus().lost());
      }
    }
  }
}
