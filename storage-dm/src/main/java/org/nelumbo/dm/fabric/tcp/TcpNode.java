package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolOpenException;

/** One memory node reached over TCP, by connections of its own. */
public final class TcpNode implements NodeConnection {
  private final TcpFabric fabric;
  private final int node;

  private TcpNode(TcpFabric fabric, int node) {
    this.fabric = fabric;
    this.node = node;
  }

  /** The way to the memory node with that number in its pool. */
  public static Connector connector(
      Environment environment, NodeAddress address, int node, TcpFabric.Options options) {
    return new Connector() {
      @Override
      public NodeConnection connect() {
        return TcpNode.connect(environment, address, node, options);
      }

      @Override
      public String name() {
        return node + " at " + address;
      }

      @Override
      public String address() {
        return address.toString();
      }
    };
  }

  private static TcpNode connect(
      Environment environment, NodeAddress address, int node, TcpFabric.Options options) {
    try {
      return new TcpNode(TcpFabric.open(environment, List.of(address), node, options), node);
    } catch (PoolOpenException e) {
      if (e.getCause() instanceof IOException) {
        throw new FabricException(node, e.getMessage(), e);
      }
      throw e;
    }
  }

  @Override
  public Channel openChannel(MemorySegment staging) {
    try {
      return fabric.openChannel(staging);
    } catch (IllegalStateException e) {
      throw new FabricException(node, "the connection was closed", e);
    }
  }

  @Override
  public long nodeBytes() {
    return fabric.nodeBytes(0);
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public NetworkTraffic traffic() {
    return fabric.traffic();
  }

  @Override
  public void close() {
    fabric.close();
    fabric.cut();
  }
}
