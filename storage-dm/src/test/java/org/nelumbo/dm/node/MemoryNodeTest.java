package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.ForwardingNodeMemory;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

@Timeout(60)
class MemoryNodeTest {
  private final SystemEnvironment environment = new SystemEnvironment();

  /** Memory that records its release. */
  private static final class WatchedMemory extends ForwardingNodeMemory {
    private final AtomicBoolean released = new AtomicBoolean();

    WatchedMemory() {
      super(LocalMemory.reserve(1 << 20));
    }

    @Override
    public void release() {
      super.release();
      released.set(true);
    }
  }

  @RepeatedTest(50)
  void shouldReleaseMemoryOnClose() throws IOException {
    WatchedMemory memory = new WatchedMemory();
    MemoryNode node =
        new MemoryNode(
            environment, memory, new NodeAddress("127.0.0.1", 0), MemoryNode.Options.DEFAULT);
    node.start();
    try (TcpFabric fabric =
            TcpFabric.open(environment, List.of(node.address()), TcpOptions.of("me"));
        Channel channel = fabric.openChannel(64)) {
      channel.writeLong(PoolAddress.of(0, 8192), 1);
      channel.flush();
      node.close();
      assertTrue(memory.released.get());
    }
  }
}
