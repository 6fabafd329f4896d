package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.SharedPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One memory node that is accessed over TCP, with its own connections. */
public final class TcpNode implements NodeConnection {
  private static final Logger LOG = LoggerFactory.getLogger(TcpNode.class);

  private static final String NOBODY = "nobody";

  private final TcpFabric fabric;
  private final int node;
  private final Handshake inquiry;

  private TcpNode(TcpFabric fabric, int node, Handshake inquiry) {
    this.fabric = fabric;
    this.node = node;
    this.inquiry = inquiry;
  }

  /** Returns a connector that attaches to the memory node with a number in its pool. */
  public static Connector connector(
      Environment environment, NodeAddress address, int node, TcpOptions options) {
    return connector(
        environment,
        address,
        node,
        options,
        () -> TcpFabric.open(environment, List.of(address), node, options));
  }

  /** Returns a connector that enters the memory node with a number in its shared pool. */
  public static Connector entrance(
      Environment environment, NodeAddress address, int node, TcpOptions options) {
    return connector(
        environment,
        address,
        node,
        options,
        () -> TcpFabric.enter(environment, List.of(address), node, options));
  }

  private static Connector connector(
      Environment environment,
      NodeAddress address,
      int node,
      TcpOptions options,
      Supplier<TcpFabric> opener) {
    return new Connector() {
      @Override
      public NodeConnection connect() {
        return TcpNode.connect(address, node, options, opener);
      }

      @Override
      public NodeConnection rejoin() {
        return TcpNode.connect(
            address,
            node,
            options,
            () -> TcpFabric.rejoin(environment, List.of(address), node, options));
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
      NodeAddress address, int node, TcpOptions options, Supplier<TcpFabric> opener) {
    try {
      Handshake inquiry = new Handshake(address, node, options).impatient();
      return new TcpNode(opener.get(), node, inquiry);
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
    } catch (FabricException e) {
      throw e.node() >= 0 ? e : new FabricException(node, "the connection was closed", e);
    }
  }

  @Override
  public long nodeBytes() {
    return fabric.nodeBytes(0);
  }

  @Override
  public long epoch() {
    return fabric.epoch(0);
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
  public boolean executesFrames() {
    return fabric.executesFrames();
  }

  @Override
  public SharedPool sharing() {
    return fabric;
  }

  @Override
  public PoolLog log() {
    return fabric.log();
  }

  @Override
  public long logId() {
    return fabric.poolId();
  }

  @Override
  public boolean isReadLeaseHeld(long now) {
    return fabric.isReadLeaseHeld(0, now);
  }

  @Override
  public void renewReadLease() {
    fabric.renewReadLease(0);
  }

  @Override
  public long replyNanos() {
    return fabric.replyNanos(0);
  }

  @Override
  public boolean isLate() {
    return fabric.isLate(0);
  }

  /** Queries the node's status, unless the node is silent. */
  @Override
  public String replacedBy(FabricException why) {
    boolean isClosed =
        why.getCause() instanceof IOException e && !(e instanceof SocketTimeoutException);
    if (!isClosed) {
      return "";
    }
    try {
      String status = inquiry.status();
      String owner = line(status, "owner=");
      boolean isOurs = line(status, "epoch=").equals(Long.toString(fabric.epoch(0)));
      return isOurs || owner.equals(NOBODY) ? "" : owner;
    } catch (PoolOpenException e) {
      LOG.debug("cannot query the owner of memory node {}: {}", node, e.getMessage());
      return "";
    }
  }

  private static String line(String status, String key) {
    return status
        .lines()
        .filter(each -> each.startsWith(key))
        .findFirst()
        .map(each -> each.substring(key.length()))
        .orElse("");
  }

  @Override
  public void abandon() {
    fabric.abandon();
  }

  @Override
  public void close() {
    fabric.close();
    fabric.cut();
  }
}
