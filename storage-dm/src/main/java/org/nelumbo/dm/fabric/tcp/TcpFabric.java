package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.rdma.DeviceName;
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
 * Memory nodes reached over TCP. The fabric has attached to each of them: they serve it alone until
 * it closes, or falls silent for longer than their lease. Then they serve another, and refuse
 * everything that comes from this one: its flushes fail from then on, with {@link FabricException}.
 * Or it {@linkplain #share shares} them, or has {@linkplain #enter entered} beside others that do:
 * then they serve it until it closes, or one of the others fences it.
 *
 * <p>The connections live until the fabric and all its channels are closed.
 */
public final class TcpFabric implements Fabric, SharedPool {
  private static final Logger LOG = LoggerFactory.getLogger(TcpFabric.class);
  private static final long HEARTBEAT_NANOS = 2_000_000_000L;
  private static final long SHORTEST_HEARTBEAT_NANOS = 10_000_000L;

  /** Signs of life within a lease, and within the time for which a fence waits. */
  private static final int HEARTBEATS_PER_LEASE = 3;

  private static final long NANOS_A_MILLI = 1_000_000L;

  /** A disk may be slow. */
  private static final long DISK_NANOS = 30_000_000_000L;

  private final Environment environment;
  private final List<NodeAddress> addresses;

  /** Number of the first node, for messages. */
  private final int first;

  private final NodeLink[][] links;
  private final long[] bytes;
  private final long[] epochs;
  private final TrafficMeter meter;
  private final AnswerTimes[] answerTimes;
  private final AtomicInteger nextChannel = new AtomicInteger();
  private final AtomicInteger holders = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean isCut;
  private final List<BackgroundThread> heartbeats = new ArrayList<>();
  private final TcpTenancy tenancy;

  /** Null if the memory node keeps none. */
  private final TcpPoolLog log;

  private final long logId;

  /** Null: verbs are sent over TCP. */
  private final RdmaConnections rdma;

  private final Options options;
  private final long heartbeatNanos;
  private final long readLeaseNanos;

  /**
   * Settings of the connections.
   *
   * @param owner who attaches, for messages to others
   * @param secrets what the memory nodes demand, and have to know
   * @param connections for each node; channels share them
   * @param timeoutMillis longest wait for an answer
   * @param shortestTimeoutMillis wait for an answer of a node that has always answered at once; see
   *     {@link AnswerTimes}
   * @param tls how to encrypt; null: not at all
   * @param incarnation by which memory nodes of a pool with copies know the compute node: each of
   *     them as a tenant, and all of them as the owner that they have agreed on; 0: it is drawn
   * @param rdma the device by which verbs are done; null: they are sent over TCP
   */
  public record Options(
      String owner,
      Secrets secrets,
      int connections,
      int timeoutMillis,
      int shortestTimeoutMillis,
      Tls tls,
      long incarnation,
      DeviceName rdma,
      int peerPort) {
    /** No secret, two connections a node, 30 seconds for each answer, any port for others. */
    public static Options of(String owner) {
      return new Options(owner, Secrets.NONE, 2, 30_000, 30_000, null, 0, null, 0);
    }

    /** One secret; none if it is empty. */
    public Options withSecret(String value) {
      return withSecrets(Secrets.of(value));
    }

    public Options withSecrets(Secrets value) {
      return new Options(
          owner,
          value,
          connections,
          timeoutMillis,
          shortestTimeoutMillis,
          tls,
          incarnation,
          rdma,
          peerPort);
    }

    public Options withConnections(int value) {
      return new Options(
          owner,
          secrets,
          value,
          timeoutMillis,
          shortestTimeoutMillis,
          tls,
          incarnation,
          rdma,
          peerPort);
    }

    public Options withTimeoutMillis(int value) {
      return new Options(
          owner,
          secrets,
          connections,
          value,
          shortestTimeoutMillis,
          tls,
          incarnation,
          rdma,
          peerPort);
    }

    public Options withShortestTimeoutMillis(int value) {
      return new Options(
          owner, secrets, connections, timeoutMillis, value, tls, incarnation, rdma, peerPort);
    }

    public Options withTls(Tls value) {
      return new Options(
          owner,
          secrets,
          connections,
          timeoutMillis,
          shortestTimeoutMillis,
          value,
          incarnation,
          rdma,
          peerPort);
    }

    public Options withIncarnation(long value) {
      return new Options(
          owner,
          secrets,
          connections,
          timeoutMillis,
          shortestTimeoutMillis,
          tls,
          value,
          rdma,
          peerPort);
    }

    /** Does verbs by RDMA. */
    public Options withRdma(DeviceName value) {
      return new Options(
          owner,
          secrets,
          connections,
          timeoutMillis,
          shortestTimeoutMillis,
          tls,
          incarnation,
          value,
          peerPort);
    }

    /**
     * The port at which other compute nodes reach this one: 0 for any that is free, -1 if they are
     * to do so through memory nodes only.
     */
    public Options withPeerPort(int value) {
      return new Options(
          owner,
          secrets,
          connections,
          timeoutMillis,
          shortestTimeoutMillis,
          tls,
          incarnation,
          rdma,
          value);
    }
  }

  private TcpFabric(
      Environment environment,
      List<NodeAddress> addresses,
      int first,
      NodeLink[][] links,
      long[] bytes,
      long[] epochs,
      TrafficMeter meter,
      AnswerTimes[] answerTimes,
      TcpTenancy tenancy,
      TcpPoolLog log,
      long logId,
      Options options) {
    this.environment = environment;
    this.options = options;
    this.addresses = List.copyOf(addresses);
    this.first = first;
    this.links = links;
    this.bytes = bytes;
    this.epochs = epochs;
    this.meter = meter;
    this.answerTimes = answerTimes;
    this.tenancy = tenancy;
    this.log = log;
    this.logId = logId;
    this.rdma =
        options.rdma() == null
            ? null
            : new RdmaConnections(environment, options.rdma(), this::rdmaFailure, () -> isCut);
    this.heartbeatNanos = heartbeatNanos(SharedPool.cutOffNanos(tenancy.leaseNanos()));
    this.readLeaseNanos = SharedPool.readLeaseNanos(tenancy.leaseNanos());
    for (NodeLink[] some : links) {
      for (NodeLink link : some) {
        heartbeats.add(new BackgroundThread(environment, "nelumbo-heartbeat", () -> beat(link)));
      }
    }
    if (log != null) {
      log.setWhenLost(this::cut);
      heartbeats.add(new BackgroundThread(environment, "nelumbo-heartbeat", this::beatLog));
    }
  }

  /** As {@link #beat(NodeLink)}, on the connection for the log. */
  private void beatLog() {
    while (!isCut) {
      try {
        log.beat();
      } catch (FabricException e) {
        // who commits is told
      }
      environment.parkNanos(heartbeatNanos);
    }
  }

  /** Time between two signs of life that is short enough for a lease. */
  static long heartbeatNanos(long leaseNanos) {
    return Math.clamp(leaseNanos / HEARTBEATS_PER_LEASE, SHORTEST_HEARTBEAT_NANOS, HEARTBEAT_NANOS);
  }

  /**
   * Attaches to memory nodes, in this order.
   *
   * @throws PoolOpenException if one cannot be reached, or serves somebody else: the message names
   *     it and says what to do
   */
  public static TcpFabric open(Environment environment, List<NodeAddress> nodes, Options options) {
    return open(environment, nodes, 0, options);
  }

  /** Attaches to memory nodes that messages number from {@code first}. */
  static TcpFabric open(
      Environment environment, List<NodeAddress> nodes, int first, Options options) {
    return open(
        environment,
        nodes,
        first,
        options,
        (handshake, tenancy) ->
            handshake.attach(tenancy.tenant(), options.owner(), options.incarnation()));
  }

  /**
   * Enters beside the compute nodes that share memory nodes, in this order.
   *
   * @throws org.nelumbo.dm.pool.PoolInUseException if somebody has one alone
   * @throws org.nelumbo.dm.pool.PoolVacantException if nobody has one: it is to be attached to
   * @throws PoolOpenException if one cannot be reached
   */
  public static TcpFabric enter(Environment environment, List<NodeAddress> nodes, Options options) {
    return enter(environment, nodes, 0, options);
  }

  /** Enters memory nodes that messages number from {@code first}. */
  static TcpFabric enter(
      Environment environment, List<NodeAddress> nodes, int first, Options options) {
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
   * Enters one beside others that share the pool, whether any of them is there. If that fails it
   * can be tried again.
   */
  static TcpFabric rejoin(
      Environment environment, List<NodeAddress> nodes, int first, Options options) {
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

  /** How the first connection to a memory node is opened. */
  private interface Entrance {
    Handshake.Attached enter(Handshake handshake, TcpTenancy tenancy);
  }

  private static TcpFabric open(
      Environment environment,
      List<NodeAddress> nodes,
      int first,
      Options options,
      Entrance entrance) {
    NodeLink[][] links = new NodeLink[options.connections()][nodes.size()];
    long[] bytes = new long[nodes.size()];
    long[] epochs = new long[nodes.size()];
    TrafficMeter meter = new TrafficMeter();
    AnswerTimes[] answerTimes = new AnswerTimes[nodes.size()];
    TcpTenancy tenancy = new TcpTenancy(environment, nodes, first, options);
    TcpPoolLog log = null;
    long logId = 0;
    List<Runnable> opened = new ArrayList<>();
    opened.add(tenancy::leave);
    try {
      for (int node = 0; node < nodes.size(); node++) {
        int number = node;
        Handshake handshake = handshake(nodes.get(node), first + node, options);
        Handshake.Attached attached = entrance.enter(handshake, tenancy);
        opened.add(attached::close);
        checkWay(attached, nodes.get(node), first + node, options);
        tenancy.entered(attached.leaseNanos());
        answerTimes[node] =
            new AnswerTimes(
                options.shortestTimeoutMillis() * NANOS_A_MILLI,
                options.timeoutMillis() * NANOS_A_MILLI,
                environment.nanoTime());
        if (attached.logId() != 0) {
          checkAlone(nodes, first + node);
          logId = attached.logId();
          log = openLog(environment, handshake, first + node, meter, options, tenancy);
          opened.add(log::cut);
        }
        bytes[node] = attached.nodeBytes();
        epochs[node] = attached.epoch();
        for (int i = 0; i < options.connections(); i++) {
          Handshake.Attached one = i == 0 ? attached : handshake.join(tenancy.tenant());
          opened.add(one::close);
          NodeLink link =
              new NodeLink(
                  environment,
                  first + node,
                  nodes.get(node).toString(),
                  one,
                  meter,
                  answerTimes[node],
                  () -> tenancy.isRevoked(number));
          opened.add(link::close);
          links[i][node] = link;
        }
      }
      TcpFabric fabric =
          new TcpFabric(
              environment,
              nodes,
              first,
              links,
              bytes,
              epochs,
              meter,
              answerTimes,
              tenancy,
              log,
              logId,
              options);
      opened.add(fabric::cut);
      fabric.openRdma();
      fabric.heartbeats.forEach(BackgroundThread::start);
      return fabric;
    } catch (IOException e) {
      closeAll(opened);
      throw new PoolOpenException("a connection to a memory node was lost at once: " + e, e);
    } catch (RuntimeException | Error e) {
      closeAll(opened);
      throw e;
    }
  }

  /** Closes all of what was opened, although some of it may fail. */
  private static void closeAll(List<Runnable> opened) {
    for (Runnable each : opened) {
      try {
        each.run();
      } catch (RuntimeException | Error e) {
        LOG.debug("not closed in order", e);
      }
    }
  }

  /** A log has the rows of a whole pool, in one order. */
  private static void checkAlone(List<NodeAddress> nodes, int node) {
    if (nodes.size() > 1) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " is durable (--durable), and a pool with one copy on a durable node has that one"
              + " only: name it alone, or have copies (replicas=2 or more), or start the nodes"
              + " without --durable");
    }
  }

  private static TcpPoolLog openLog(
      Environment environment,
      Handshake handshake,
      int node,
      TrafficMeter meter,
      Options options,
      TcpTenancy tenancy)
      throws IOException {
    Handshake.Attached attached = handshake.log(tenancy.tenant());
    long patience = Math.max(options.timeoutMillis() * NANOS_A_MILLI, DISK_NANOS);
    AnswerTimes times = new AnswerTimes(patience, patience, environment.nanoTime());
    NodeLink link =
        new NodeLink(
            environment,
            node,
            handshake.name(),
            attached,
            meter,
            times,
            () -> tenancy.isRevoked(0));
    return new TcpPoolLog(link, tenancy::askLog);
  }

  /** Refuses a node that does verbs in another way than this fabric. */
  private static void checkWay(
      Handshake.Attached attached, NodeAddress address, int node, Options options) {
    if (attached.isRdma() != (options.rdma() != null)) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " at "
              + address
              + (attached.isRdma()
                  ? " offers its memory by RDMA only: write jdbc:nelumbo:rdma://HOST:PORT/NAME"
                  : " does not offer its memory by RDMA: start it with --rdma DEVICE, or write"
                      + " jdbc:nelumbo://HOST:PORT/NAME"));
    }
  }

  private void openRdma() {
    if (rdma == null) {
      return;
    }
    try {
      for (int node = 0; node < addresses.size(); node++) {
        Handshake handshake = handshake(addresses.get(node), first + node, options);
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
                + " serves this compute node no more: others took it"
                + " for dead"
            : "the RDMA connection to memory node " + nodeName(node) + " is lost: " + why,
        new IOException(why),
        revoked);
  }

  static Handshake handshake(NodeAddress address, int node, Options options) {
    return new Handshake(address, node, options.secrets(), options.tls());
  }

  /**
   * Status of a memory node, in lines of {@code key=value}; asking disturbs nobody.
   *
   * @throws PoolOpenException if it cannot be reached
   */
  public static String status(NodeAddress address, int node, Options options) {
    return handshake(address, node, options).status();
  }

  /**
   * What the compute nodes that share a pool agree on, as its memory node 0 has it: as bytes, empty
   * if nothing is agreed on, or another node has it. Asking disturbs nobody. It stays when they
   * have gone: whom the node serves is in its status.
   *
   * @throws PoolOpenException if it cannot be reached
   */
  public static byte[] configuration(NodeAddress address, int node, Options options) {
    return handshake(address, node, options).configuration();
  }

  /**
   * Asks a memory node for its header; asking disturbs nobody.
   *
   * @throws PoolOpenException if it cannot be reached
   */
  public static NodeAnswer header(NodeAddress address, int node, Options options) {
    return handshake(address, node, options).header();
  }

  /**
   * Empty batches on one connection, so that its memory node knows that this process is alive, and
   * whatever is in between knows that the connection is. Each connection has a thread for that:
   * where one hangs, others go on.
   */
  private void beat(NodeLink link) {
    Request request = new Request(MemorySegment.ofArray(new byte[Long.BYTES]));
    while (!isCut) {
      try {
        exchangeNothing(link, request);
      } catch (FabricException e) {
        // whoever uses the connection is told by its own flush
      } finally {
        request.begin();
      }
      environment.parkNanos(heartbeatNanos);
    }
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return openChannel(Arena.ofAuto().allocate((stagingBytes + 7) & -8, 64));
  }

  /** A channel with a staging buffer that others use, too. */
  Channel openChannel(MemorySegment staging) {
    int count;
    do {
      count = holders.get();
      if (closed.get() || count == 0) {
        throw new FabricException("this process has let go of the pool", null);
      }
    } while (!holders.compareAndSet(count, count + 1));
    try {
      if (rdma != null) {
        return rdma.openChannel(staging, this::channelClosed);
      }
      int turn = Math.floorMod(nextChannel.getAndIncrement(), links.length);
      return new TcpChannel(links[turn], bytes, staging, this::channelClosed);
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

  /** Ends the connections without leaving the nodes: this compute node may come back to them. */
  void abandon() {
    tenancy.setStaying(true);
    close();
    cut();
  }

  /** The epoch in which a node serves this fabric. */
  long epoch(int node) {
    return epochs[node];
  }

  /** Mean time to an answer of a node in the last seconds; 0 if there was none. */
  long answerNanos(int node) {
    return answerTimes[node].meanNanos();
  }

  /** See {@link NodeConnection#isReadLeaseHeld}. */
  boolean isReadLeaseHeld(int node, long now) {
    return !isCut && answerTimes[node].sinceSentNanos(now) < readLeaseNanos;
  }

  /** See {@link NodeConnection#renewReadLease}; on all connections, since one may have failed. */
  void renewReadLease(int node) {
    for (NodeLink[] some : links) {
      exchangeNothing(some[node], new Request(MemorySegment.ofArray(new byte[Long.BYTES])));
    }
  }

  private static void exchangeNothing(NodeLink link, Request request) {
    link.submit(request);
    link.await(request);
  }

  /** Whether an answer of a node is overdue. */
  boolean isLate(int node) {
    return answerTimes[node].isLate();
  }

  /** Closes the connections, whoever uses them. */
  void cut() {
    isCut = true;
    tenancy.close();
    if (rdma != null) {
      rdma.cut();
    }
    heartbeats.forEach(BackgroundThread::stop);
    for (NodeLink[] some : links) {
      for (NodeLink link : some) {
        link.close();
      }
    }
    if (log != null) {
      log.cut();
    }
  }

  @Override
  public TcpPeerNetwork openPeers(PeerId self) {
    return TcpPeerNetwork.open(environment, addresses, options, tenant(), leaseNanos(), self);
  }

  @Override
  public long poolId() {
    return logId;
  }

  @Override
  public PoolLog log() {
    return log;
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
  public boolean isWanted() {
    return tenancy.isWanted();
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

  /** Its connections end, so that the memory nodes do not take it for alive. */
  @Override
  public void lose(Throwable why) {
    cut();
  }

  @Override
  public int nodeCount() {
    return bytes.length;
  }

  @Override
  public long nodeBytes(int node) {
    if (node < 0 || node >= bytes.length) {
      throw new IllegalArgumentException("no such memory node node=" + node);
    }
    return bytes[node];
  }

  @Override
  public String nodeName(int node) {
    return addresses.get(node).toString();
  }

  /** Whether a memory node does all of a flush or nothing; devices do any first part of it. */
  boolean executesFrames() {
    return rdma == null;
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public NetworkTraffic traffic() {
    return meter.traffic();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      channelClosed();
    }
  }
}
