package org.nelumbo.dm.fabric.rdma;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpNode;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.NodeConnection;

/**
 * Opens memory nodes for tests. With {@code -Dnelumbo.rdma.device} the nodes are reached by queue
 * pairs of that device, so that tests of the layers above the fabric run on it.
 */
public final class DeviceNodes {
  private static final String DEVICE = System.getProperty("nelumbo.rdma.device", "");
  private static final SystemEnvironment ENVIRONMENT = new SystemEnvironment();

  private DeviceNodes() {}

  public static boolean isWanted() {
    return !DEVICE.isEmpty();
  }

  private static MemoryNode start(NodeMemory memory) {
    try {
      MemoryNode node =
          new MemoryNode(
              ENVIRONMENT,
              memory,
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT.withRdma(DeviceName.parse(DEVICE)));
      node.start();
      return node;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static TcpOptions options() {
    return TcpOptions.of("a test").withRdma(DeviceName.parse(DEVICE));
  }

  /** Opens a pool with {@code count} nodes: on the configured device, or else in this process. */
  public static Fabric pool(int count, long nodeBytes) {
    if (!isWanted()) {
      return new LocalFabric(count, nodeBytes);
    }
    List<MemoryNode> nodes = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      nodes.add(start(LocalMemory.reserve(nodeBytes)));
    }
    List<NodeAddress> addresses = nodes.stream().map(MemoryNode::address).toList();
    return new ForwardingFabric(TcpFabric.open(ENVIRONMENT, addresses, options())) {
      @Override
      public void close() {
        super.close();
        nodes.forEach(MemoryNode::close);
      }
    };
  }

  /**
   * Starts a memory node that serves the memory, and connects to it. Closing the connection stops
   * the node.
   */
  public static NodeConnection connect(int node, NodeMemory memory) {
    MemoryNode serving = start(memory);
    NodeConnection way =
        TcpNode.connector(ENVIRONMENT, serving.address(), node, options()).connect();
    return new NodeConnection() {
      @Override
      public Channel openChannel(MemorySegment staging) {
        return way.openChannel(staging);
      }

      @Override
      public long nodeBytes() {
        return way.nodeBytes();
      }

      @Override
      public boolean isRemote() {
        return true;
      }

      @Override
      public void close() {
        way.close();
        serving.close();
      }
    };
  }
}
