package org.nelumbo.dm.replication;

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
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.ForwardingEnvironment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.superblock.PoolFormat;

/** Tests the entry of another compute node into a shared pool, over TCP. */
@Timeout(120)
class EntranceTest {
  private static final long NODE_BYTES = 8 << 20;
  private static final long FENCED = 4711;

  private final List<MemoryNode> nodes = new ArrayList<>();

  /** An environment whose first random number is the id of a fenced tenant. */
  private static final class SlowEnvironment extends ForwardingEnvironment {
    private final AtomicInteger drawn = new AtomicInteger();

    @Override
    public long randomLong() {
      return drawn.getAndIncrement() == 0 ? FENCED : super.randomLong();
    }
  }

  private void startNodes() throws IOException {
    for (int node = 0; node < 3; node++) {
      nodes.add(
          new MemoryNode(
              new SystemEnvironment(),
              LocalMemory.reserve(NODE_BYTES),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT));
      nodes.get(node).start();
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private Fabric open(Environment environment, int copies) {
    return RemotePool.open(
        environment,
        nodes.stream().map(MemoryNode::address).toList(),
        TcpOptions.of("somebody"),
        "pool",
        WantedPool.of(copies, 0),
        List.of());
  }

  /** The joining compute node was slow, for example, and was considered failed. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldEnterWithNewTenantIdOnceFenced(int copies) throws IOException {
    startNodes();
    try (Fabric first = open(new SystemEnvironment(), copies)) {
      PoolFormat.format(first, 1);
      first.sharing().prepare(true);
      first.sharing().share();
      first.sharing().fence(FENCED);
      SlowEnvironment slow = new SlowEnvironment();
      try (Fabric second = open(slow, copies)) {
        assertTrue(slow.drawn.get() > 1);
        assertEquals(2, first.sharing().tenants().size());
        assertEquals(second.sharing().tenant(), first.sharing().tenants().get(1).id());
      }
    }
  }
}
