package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fabric of memory nodes that are accessed over TCP. The fabric has attached to each of them.
 *
 * <ul>
 *   <li>Exclusive use: the nodes serve only this fabric until it closes, or is silent for longer
 *       than their lease. Then they serve another one and refuse all frames of this one; its
 *       flushes fail from then on, with {@link FabricException}.
 *   <li>Shared use: after the fabric {@linkplain #share shares} the nodes, or has {@linkplain
 *       #enter entered} a shared pool, the nodes serve it until it closes, or another compute node
 *       fences it.
 * </ul>
 *
 * <p>The connections live until the fabric and all its channels are closed.
 */
public final class TcpFabric implements Fabric, SharedPool {
  private static final Logger LOG = LoggerFactory.getLogger(TcpFabric.class);
  private final Environment environment;
  private final List<NodeAddress> addresses;

  /** Number of the first node in messages. */
  private final int first;

  private final TcpTenancy tenancy;
  private final NodeLinks links;
  private final Heartbeats heartbeats;
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean isCut;

  /** Null if verbs are sent over TCP. */
  private final RdmaConnections rdma;

  private final TcpOptions options;
  private final long readLeaseNanos;

  private TcpFabric(
      Environment environment,
      List<NodeAddress> addresses,
      int first,
      TcpOptions options,
      TcpTenancy tenancy,
      NodeLinks links) {
    this.environment = environment;
    this.options = options;
    this.addresses = List.copyOf(addresses);
    this.first = first;
    this.links = links;
    this.tenancy = tenancy;
    this.rdma =
        options.rdma() == null
            ? null
            : new RdmaConnections(environment, options.rdma(), this::rdmaFailure, () -> isCut);
    this.readLeaseNanos = SharedPool.readLeaseNanos(tenancy.leaseNanos());
    this.heartbeats =
        new Heartbeats(environment, links, SharedPool.cutOffNanos(tenancy.leaseNanos()));
    if (links.log() != null) {
      links.log().setWhenLost(this::cut);
    }
  }

  /**
   * Attaches to memory nodes, in this order.
   *
   * @throws PoolOpenException if one cannot be reached, or serves another compute node: the message
   *     names it and says what to do
   */
  public static TcpFabric open(
      Environment environment, List<NodeAddress> nodes, TcpOptions options) {
    return open(environment, nodes, 0, options);
  }

  /** Attaches to memory nodes that messages number from {@code first}. */
  static TcpFabric open(
      Environment environment, List<NodeAddress> nodes, int first, TcpOptions options) {
    return open(
        environment,
        nodes,
        first,
        options,
        (handshake, tenancy) ->
            handshake.attach(tenancy.tenant(), options.owner(), options.incarnation()));
  }

  /**
   * Enters memory nodes that other compute nodes share, in this order.
   *
   * @throws org.nelumbo.dm.pool.PoolInUseException if a compute node owns one exclusively
   * @throws org.nelumbo.dm.pool.PoolVacantException if one serves no compute node: the caller has
   *     to attach
   * @throws PoolOpenException if one cannot be reached
   */
  public static TcpFabric enter(
      Environment environment, List<NodeAddress> nodes, TcpOptions options) {
    return enter(environment, nodes, 0, options);
  }

  /** Enters memory nodes that messages number from {@code first}. */
  static TcpFabric enter(
      Environment environment, List<NodeAddress> nodes, int first, TcpOptions options) {
    return open(
        environment,
        nodes,
        first,
        options,
        (handshake, tenancy) -> {
          tenancy.entersBesideOthers();
          return handshake.enter(tenancy.tenant(), options.owner());
        });
  }

  /**
   * Enters nodes of a shared pool, whether or not they serve other compute nodes. May be repeated
   * after a failure.
   */
  static TcpFabric rejoin(
      Environment environment, List<NodeAddress> nodes, int first, TcpOptions options) {
    TcpFabric fabric =
        open(
            environment,
            nodes,
            first,
            options,
            (handshake, tenancy) -> {
              tenancy.entersBesideOthers();
              tenancy.setStaying(true);
              return handshake.rejoin(tenancy.tenant(), options.owner());
            });
    fabric.tenancy.setStaying(false);
    return fabric;
  }

  private static TcpFabric open(
      Environment environment,
      List<NodeAddress> nodes,
      int first,
      TcpOptions options,
      NodeLinks.Entrance entrance) {
    TcpTenancy tenancy = new TcpTenancy(environment, nodes, first, options);
    List<Runnable> opened = new ArrayList<>();
    opened.add(tenancy::leave);
    try {
      NodeLinks links =
          NodeLinks.open(environment, nodes, first, options, tenancy, entrance, opened);
      TcpFabric fabric = new TcpFabric(environment, nodes, first, options, tenancy, links);
      opened.add(fabric::cut);
      fabric.openRdma();
      fabric.heartbeats.start();
      return fabric;
    } catch (IOException e) {
      closeAll(opened);
      throw new PoolOpenException("a connection to a memory node was lost at once: " + e, e);
    } catch (RuntimeException | Error e) {
      closeAll(opened);
      throw e;
    }
  }

  private static void closeAll(List<Runnable> opened) {
    for (Runnable each : opened) {
      try {
        each.run();
      } catch (RuntimeException | Error e) {
        LOG.debug("not closed cleanly", e);
      }
    }
  }

  private void openRdma() {
    if (rdma == null) {
      return;
    }
    try {
      for (int node = 0; node < addresses.size(); node++) {
        Handshake handshake = new Handshake(addresses.get(node), first + node, options);
        rdma.join(handshake, tenancy.tenant(), addresses.get(node).toString());
      }
      rdma.test();
    } catch (RuntimeException | Error e) {
      rdma.close();
      throw e;
    }
  }

  private FabricException rdmaFailure(int node, String why) {
    boolean revoked = tenancy.isRevoked(node);
    return new FabricException(
        first + node,
        revoked
            ? "memory node "
                + nodeName(node)
                + " has revoked the access of this compute node: other compute nodes"
                + " declared it failed"
            : "the RDMA connection to memory node " + nodeName(node) + " is lost: " + why,
        new IOException(why),
        revoked);
  }

  /**
   * Reads the status of a memory node, in lines of {@code key=value}; does not affect its compute
   * nodes.
   *
   * @throws PoolOpenException if the node cannot be reached
   */
  public static String status(NodeAddress address, int node, TcpOptions options) {
    return new Handshake(address, node, options).status();
  }

  /**
   * Reads the encoded cluster configuration from memory node 0 of a pool; empty if there is none,
   * or if the node has another number. Does not affect the compute nodes of the pool. The
   * configuration stays after they have left; the node's status lists the compute nodes that it
   * serves.
   *
   * @throws PoolOpenException if the node cannot be reached
   */
  public static byte[] configuration(NodeAddress address, int node, TcpOptions options) {
    return new Handshake(address, node, options).configuration();
  }

  /**
   * Reads the description of a memory node; does not affect its compute nodes.
   *
   * @throws PoolOpenException if the node cannot be reached
   */
  public static NodeReply header(NodeAddress address, int node, TcpOptions options) {
    return new Handshake(address, node, options).header();
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return openChannel(Arena.ofAuto().allocate((stagingBytes + 7) & -8, 64));
  }

  /** Opens a channel with a shared staging buffer. */
  Channel openChannel(MemorySegment staging) {
    int count;
    do {
      count = holders.get();
      if (closed.get() || count == 0) {
        throw new FabricException("this process has released the pool", null);
      }
    } while (!holders.compareAndSet(count, count + 1));
    try {
      if (rdma != null) {
        return rdma.openChannel(staging, this::channelClosed);
      }
      return links.openChannel(staging, this::channelClosed);
    } catch (RuntimeException | Error e) {
      channelClosed();
      throw e;
    }
  }

  private void channelClosed() {
    if (holders.decrementAndGet() == 0) {
      try {
        tenancy.leave();
      } finally {
        cut();
        if (rdma != null) {
          rdma.close();
        }
      }
    }
  }

  /**
   * Ends the connections without leaving the nodes, because this compute node may return to them.
   */
  void abandon() {
    tenancy.setStaying(true);
    close();
    cut();
  }

  /** Returns the epoch in which a node serves this fabric. */
  long epoch(int node) {
    return links.epoch(node);
  }

  /** Returns the mean response time of a node in the last seconds; 0 if there was no response. */
  long replyNanos(int node) {
    return links.replyTimes(node).meanNanos();
  }

  /** See {@link NodeConnection#isReadLeaseHeld}. */
  boolean isReadLeaseHeld(int node, long now) {
    return !isCut && links.replyTimes(node).sinceSentNanos(now) < readLeaseNanos;
  }

  /** See {@link NodeConnection#renewReadLease}; uses all connections, since one may have failed. */
  void renewReadLease(int node) {
    links.exchangeNothing(node);
  }

  /** Returns true if a response of a node is overdue. */
  boolean isLate(int node) {
    return links.replyTimes(node).isLate();
  }

  /** Closes the connections, including those in use. */
  void cut() {
    isCut = true;
    tenancy.close();
    if (rdma != null) {
      rdma.cut();
    }
    heartbeats.stop();
    links.close();
  }

  @Override
  public TcpPeerNetwork openPeers(PeerId self) {
    return TcpPeerNetwork.open(environment, addresses, options, tenant(), leaseNanos(), self);
  }

  @Override
  public long poolId() {
    return links.logId();
  }

  @Override
  public PoolLog log() {
    return links.log();
  }

  @Override
  public SharedPool sharing() {
    return this;
  }

  @Override
  public boolean isShared() {
    return tenancy.isShared();
  }

  @Override
  public long tenant() {
    return tenancy.tenant();
  }

  @Override
  public void share() {
    tenancy.share();
  }

  @Override
  public void ownAlone() {
    tenancy.ownAlone();
  }

  @Override
  public void fence(long tenant) {
    tenancy.fence(tenant);
  }

  @Override
  public void expel(long tenant) {
    tenancy.expel(tenant);
  }

  @Override
  public List<PoolTenant> tenants() {
    return tenancy.tenants();
  }

  @Override
  public long leaseNanos() {
    return tenancy.leaseNanos();
  }

  /** Ends the connections, so that the memory nodes do not treat this compute node as alive. */
  @Override
  public void lose(Throwable why) {
    cut();
  }

  @Override
  public int nodeCount() {
    return links.nodes();
  }

  @Override
  public long nodeBytes(int node) {
    if (node < 0 || node >= links.nodes()) {
      throw new IllegalArgumentException("no such memory node node=" + node);
    }
    return links.bytes(node);
  }

  @Override
  public String nodeName(int node) {
    return addresses.get(node).toString();
  }

  /**
   * Returns true if a memory node executes a flush completely or not at all. RDMA devices may
   * execute any prefix of it.
   */
  boolean executesFrames() {
    return rdma == null;
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public NetworkTraffic traffic() {
    return links.traffic();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      channelClosed();
    }
  }
}
