package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricConformanceTest;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;

class TcpFabricTest extends FabricConformanceTest {
  private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
  private final SystemEnvironment environment = new SystemEnvironment();
  private final List<MemoryNode> nodes = new ArrayList<>();

  private MemoryNode startNode(long bytes, MemoryNode.Options options) {
    try {
      MemoryNode node = new MemoryNode(environment, LocalMemory.reserve(bytes), ANY_PORT, options);
      node.start();
      nodes.add(node);
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Fabric attach(String owner, MemoryNode... to) {
    return TcpFabric.open(
        environment, List.of(to).stream().map(MemoryNode::address).toList(), TcpOptions.of(owner));
  }

  @Override
  protected Fabric openFabric(int count, long nodeBytes) {
    MemoryNode[] started = new MemoryNode[count];
    for (int i = 0; i < count; i++) {
      started[i] = startNode(nodeBytes, MemoryNode.Options.DEFAULT);
    }
    return attach("the kit", started);
  }

  @AfterEach
  void stopNodes() {
    nodes.forEach(MemoryNode::close);
  }

  @Test
  void shouldBeRemote() {
    assertTrue(fabric.isRemote());
  }

  @Test
  void shouldServeOneComputeNodeAtATime() {
    MemoryNode node = startNode(1 << 20, MemoryNode.Options.DEFAULT);
    try (Fabric first = attach("compute node A", node)) {
      assertEquals(1, first.nodeCount());
      PoolOpenException e =
          assertThrows(PoolOpenException.class, () -> attach("compute node B", node));
      assertTrue(e.getMessage().contains("in use by compute node A"), e.getMessage());
    }
    attach("compute node B", node).close();
  }

  @Test
  void shouldFenceSilentComputeNode() {
    MemoryNode node = startNode(1 << 20, MemoryNode.Options.DEFAULT.withLeaseNanos(0));
    long word = PoolAddress.of(0, 8192);
    try (Fabric slow = attach("slow", node);
        Channel late = slow.openChannel(64)) {
      late.writeLong(word, 1);
      late.flush();
      try (Fabric next = attach("next", node);
          Channel mine = next.openChannel(64)) {
        late.writeLong(word, 2);
        FabricException e = assertThrows(FabricException.class, late::flush);
        assertEquals(0, e.node());
        assertTrue(e.getMessage().contains("memory node 127.0.0.1:"), e.getMessage());
        assertEquals(1, readLong(mine, word));
      }
    }
  }

  @Test
  void shouldFailAllChannelsAfterNodeFailure() {
    MemoryNode node = startNode(1 << 20, MemoryNode.Options.DEFAULT);
    try (Fabric pool = attach("me", node);
        Channel one = pool.openChannel(64);
        Channel other = pool.openChannel(64)) {
      node.close();
      assertThrows(FabricException.class, () -> readLong(one, PoolAddress.of(0, 8192)));
      assertThrows(FabricException.class, () -> readLong(other, PoolAddress.of(0, 8192)));
      assertThrows(FabricException.class, () -> readLong(one, PoolAddress.of(0, 8192)));
    }
    PoolOpenException e = assertThrows(PoolOpenException.class, () -> attach("me", node));
    assertTrue(e.getMessage().contains("is it running?"), e.getMessage());
  }

  @Test
  void shouldDemandTheSecret() {
    MemoryNode node = startNode(1 << 20, MemoryNode.Options.DEFAULT.withSecret("sesame"));
    PoolOpenException e = assertThrows(PoolOpenException.class, () -> attach("thief", node));
    assertTrue(e.getMessage().contains("the secret is wrong"), e.getMessage());
    TcpFabric.open(
            environment, List.of(node.address()), TcpOptions.of("friend").withSecret("sesame"))
        .close();
  }

  @Test
  void shouldMoveMoreThanAFrameInOneFlush() {
    try (Fabric pool = attach("me", startNode(8 << 20, MemoryNode.Options.DEFAULT));
        Channel mine = pool.openChannel(4 << 20)) {
      for (int i = 0; i < 4 << 20; i += 8) {
        mine.staging().set(java.lang.foreign.ValueLayout.JAVA_LONG, i, i * 31L);
      }
      mine.write(PoolAddress.of(0, 8192), 0, 4 << 20);
      mine.flush();
      mine.staging().fill((byte) 0);
      mine.read(PoolAddress.of(0, 8192), 0, 4 << 20);
      mine.flush();
      for (int i = 0; i < 4 << 20; i += 8) {
        assertEquals(i * 31L, mine.staging().get(java.lang.foreign.ValueLayout.JAVA_LONG, i));
      }
    }
  }

  @Test
  void shouldReportStatusWithoutDisturbingOwner() {
    MemoryNode node = startNode(1 << 20, MemoryNode.Options.DEFAULT);
    try (Fabric pool = attach("compute node A", node)) {
      String status = TcpFabric.status(node.address(), 0, TcpOptions.of("somebody who looks"));
      assertTrue(status.contains("owner=compute node A"), status);
      assertTrue(status.contains("bytes=1048576"), status);
      assertEquals(1, pool.nodeCount());
    }
  }

  @Test
  void shouldReadAddresses() {
    assertEquals(new NodeAddress("host", 7), NodeAddress.parse("host:7"));
    assertEquals(new NodeAddress("host", NodeAddress.DEFAULT_PORT), NodeAddress.parse("host"));
    assertEquals(new NodeAddress("::1", 9), NodeAddress.parse("[::1]:9"));
    assertEquals("[::1]:9", new NodeAddress("::1", 9).toString());
    for (String bad : List.of("", ":7", "host:", "host:x", "host:70000")) {
      assertThrows(IllegalArgumentException.class, () -> NodeAddress.parse(bad), bad);
    }
  }
}
