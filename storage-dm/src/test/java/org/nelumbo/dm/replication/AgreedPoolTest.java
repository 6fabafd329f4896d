package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.env.ThreadlessEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpAcceptorNetwork;
import org.nelumbo.dm.fabric.tcp.TcpNode;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.membership.WantedPool;

/** Tests that memory nodes agree on the views of a pool, over TCP. */
@Timeout(120)
class AgreedPoolTest {
  private static final long NODE_BYTES = 1 << 20;
  private static final int MANY = 1_000_000;
  private static final long WORD = PoolAddress.of(0, 8192);

  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();
  private final List<NodeAddress> addresses = new ArrayList<>();
  private Environment asking = environment;
  private int witnesses;
  private Path files;

  private void start(int count) throws IOException {
    for (int node = 0; node < count; node++) {
      nodes.add(startNode(node, 0));
      addresses.add(nodes.get(node).address());
    }
  }

  /** Starts a node with a lease of zero, which treats a live owner as failed. */
  private MemoryNode startNode(int number, int port) throws IOException {
    MemoryNode.Options options = MemoryNode.Options.DEFAULT.withLeaseNanos(0);
    NodeMemory memory =
        files == null
            ? LocalMemory.reserve(NODE_BYTES)
            : SharedMemory.openNode(files.resolve("node" + number), NODE_BYTES, NODE_BYTES);
    MemoryNode node =
        new MemoryNode(
            environment,
            memory,
            new NodeAddress("127.0.0.1", port),
            files == null ? options : options.withVotes(files.resolve("votes" + number)));
    node.start();
    return node;
  }

  private void startWitness() throws IOException {
    MemoryNode witness =
        new MemoryNode(
            environment,
            LocalMemory.reserve(NODE_BYTES),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT.asWitness());
    witness.start();
    nodes.add(witness);
    addresses.add(witness.address());
    witnesses++;
  }

  private void restart(int number) throws IOException {
    nodes.get(number).close();
    nodes.set(number, startNode(number, addresses.get(number).port()));
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private ReplicatedFabric open(String owner) {
    return open(owner, addresses, ReplicatedFabric.Options.DEFAULT);
  }

  private ReplicatedFabric open(
      String owner, List<NodeAddress> all, ReplicatedFabric.Options options) {
    long self = environment.randomLong();
    TcpOptions links =
        TcpOptions.of(owner)
            .withIncarnation(self)
            .withTimeoutMillis(2_000)
            .withShortestTimeoutMillis(1_000);
    List<NodeConnection.Connector> connectors = new ArrayList<>();
    for (int node = 0; node < all.size() - witnesses; node++) {
      connectors.add(TcpNode.connector(environment, all.get(node), node, links));
    }
    ViewAgreement.Options agreement =
        new ViewAgreement.Options(
            new TcpAcceptorNetwork(asking, all, links),
            witnesses,
            self,
            owner,
            2_000_000_000L,
            600_000_000L);
    return ReplicatedFabric.open(
        environment, connectors, options.withReconnectNanos(10_000_000L).withAgreement(agreement));
  }

  /**
   * Takes the pool over. Retries as long as the attempt is revoked, because the previous owner has
   * made a decision in the meantime.
   */
  private ReplicatedFabric takeOver(String owner, List<NodeAddress> all) {
    while (true) {
      try {
        return open(owner, all, ReplicatedFabric.Options.DEFAULT);
      } catch (PoolOpenException e) {
        if (!e.getMessage().contains("has been revoked")) {
          throw e;
        }
      }
    }
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

  private static long get(ReplicatedFabric fabric) {
    try (Channel channel = fabric.openChannel(64)) {
      channel.read(WORD, 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private void awaitLive(ReplicatedFabric fabric, long live) {
    for (int attempt = 0; fabric.liveNodes() != live; attempt++) {
      assertFalse(fabric.replicationStatus().lost());
      environment.backoff(attempt);
    }
  }

  private PoolOpenException refusal(String owner) {
    return assertThrows(PoolOpenException.class, () -> open(owner).close());
  }

  @Test
  void shouldContinueWithMajorityAndFailWithoutOne() throws IOException {
    start(3);
    try (ReplicatedFabric fabric = open("process A");
        Channel channel = fabric.openChannel(64)) {
      put(channel, 1);
      nodes.get(2).close();
      put(channel, 2);
      assertEquals(0b011, fabric.liveNodes());
      nodes.get(1).close();
      FabricException e = assertThrows(FabricException.class, () -> put(channel, 3));
      assertTrue(e.getMessage().contains("too few memory nodes respond to agree"), e.getMessage());
      assertTrue(e.getMessage().contains("node 1 cannot be reached"), e.getMessage());
    }
    assertTrue(refusal("process B").getMessage().contains("start the missing ones"));
  }

  @Test
  void shouldAgreeWhenThreadsCannotStart() throws IOException {
    start(3);
    ThreadlessEnvironment threadless = new ThreadlessEnvironment("nelumbo-agreement", MANY);
    asking = threadless;
    try (ReplicatedFabric fabric = open("process A");
        Channel channel = fabric.openChannel(64)) {
      put(channel, 1);
      nodes.get(2).close();
      put(channel, 2);
      assertEquals(0b011, fabric.liveNodes());
      assertFalse(fabric.replicationStatus().lost());
    }
    assertTrue(threadless.missing() < MANY);
  }

  @Test
  void shouldLosePoolWhenMajorityServesAnotherComputeNode() throws IOException {
    start(3);
    try (ReplicatedFabric first = open("process A");
        Channel channel = first.openChannel(64)) {
      put(channel, 1);
      long before = first.view();
      List<NodeAddress> others = new ArrayList<>(addresses);
      others.set(0, nowhere());
      try (ReplicatedFabric second = takeOver("process B", others);
          Channel next = second.openChannel(64)) {
        put(next, 2);
        FabricException e = assertThrows(FabricException.class, () -> put(channel, 3));
        assertTrue(e.getMessage().contains("process B"), e.getMessage());
        assertEquals(before, first.view(), "a view was put in force after the pool was lost");
        put(next, 4);
        assertEquals(4, get(second));
        assertFalse(second.replicationStatus().lost());
      }
    }
  }

  /**
   * The excluded node has an old view, and the nodes that had the latest view have lost their
   * memory.
   */
  @Test
  void shouldNotCountNodesWithLostMemoryAsVoters() throws IOException {
    start(3);
    try (ReplicatedFabric fabric = open("process A");
        Channel channel = fabric.openChannel(64)) {
      put(channel, 1);
      List<NodeAddress> others = new ArrayList<>(addresses);
      others.set(2, nowhere());
      try (ReplicatedFabric next = takeOver("process B", others);
          Channel used = next.openChannel(64)) {
        put(used, 2);
      }
    }
    restart(0);
    restart(1);
    PoolOpenException e = refusal("process C");
    assertTrue(e.getMessage().contains("node 0 has lost its memory"), e.getMessage());
    assertTrue(e.getMessage().contains("recover=force continues with nodes 2"), e.getMessage());
    ReplicatedFabric.Options force =
        ReplicatedFabric.Options.DEFAULT.withWanted(
            new WantedPool(0, 0, true, PoolExpectation.ANY));
    try (ReplicatedFabric fabric = open("process D", addresses, force)) {
      assertEquals(1, get(fabric));
      awaitLive(fabric, 0b111);
    }
    try (ReplicatedFabric fabric = open("process E")) {
      assertEquals(1, get(fabric));
      assertEquals(0b111, fabric.liveNodes());
    }
  }

  @Test
  void shouldReadmitEmptyNodesAsVoters() throws IOException {
    start(3);
    try (ReplicatedFabric fabric = open("process A");
        Channel channel = fabric.openChannel(64)) {
      for (int node = 0; node < 3; node++) {
        put(channel, node);
        restart(node);
        put(channel, 10 + node);
        awaitLive(fabric, 0b111);
      }
      assertEquals(12, get(fabric));
    }
    try (ReplicatedFabric fabric = open("process B")) {
      assertEquals(12, get(fabric));
    }
  }

  @Test
  void shouldFindThePoolWhenAllNodesAreStartedAnew(@TempDir Path directory) throws IOException {
    files = directory;
    start(3);
    try (ReplicatedFabric fabric = open("process A");
        Channel channel = fabric.openChannel(64)) {
      put(channel, 7);
    }
    for (int node = 0; node < 3; node++) {
      restart(node);
    }
    try (ReplicatedFabric fabric = open("process B")) {
      assertEquals(7, get(fabric));
      assertEquals(0b111, fabric.liveNodes());
    }
  }

  @Test
  void shouldContinueWithOneOfTwoNodesAndWitness() throws IOException {
    start(2);
    startWitness();
    try (ReplicatedFabric fabric = open("process A");
        Channel channel = fabric.openChannel(64)) {
      put(channel, 1);
      nodes.get(0).close();
      put(channel, 2);
      assertEquals(0b10, fabric.liveNodes());
      restart(0);
      awaitLive(fabric, 0b11);
      nodes.get(2).close();
      put(channel, 3);
      nodes.get(1).close();
      assertThrows(FabricException.class, () -> put(channel, 4));
    }
  }

  @Test
  void shouldRefuseAWitnessAsMemoryNode() throws IOException {
    start(2);
    startWitness();
    witnesses = 0;
    assertTrue(refusal("process A").getMessage().contains("it is a witness"));
  }

  @Test
  void shouldRefuseToMakeAPoolThatTwoWouldDecideOn() throws IOException {
    start(2);
    String said = refusal("process A").getMessage();
    assertTrue(said.contains("needs three memory nodes, or two and a witness"), said);
    startWitness();
    open("process B").close();
  }

  @Test
  void shouldReportDecisionInNodeStatus() throws IOException {
    start(3);
    try (ReplicatedFabric fabric = open("process A")) {
      assertEquals(0b111, fabric.liveNodes());
      for (MemoryNode each : nodes) {
        awaitStatus(each, "decision=1 deciding=0,1,2");
        awaitStatus(each, "decided_owner=process A");
      }
    }
  }

  /**
   * Waits for a status. A node outside the deciding majority learns the decision a little later.
   */
  private void awaitStatus(MemoryNode node, String part) {
    for (int attempt = 0; !node.status().contains(part); attempt++) {
      environment.backoff(attempt);
    }
  }
}
