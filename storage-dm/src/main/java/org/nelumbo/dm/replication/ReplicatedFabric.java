package org.nelumbo.dm.replication;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CopiesCheck;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.membership.Membership;
import org.nelumbo.dm.replication.membership.NodeProbe;
import org.nelumbo.dm.replication.membership.Reconnector;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.membership.ViewChanger;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.resync.WriteBarrier;
import org.nelumbo.dm.replication.verbs.HeldStripes;
import org.nelumbo.dm.replication.verbs.ReplicatedChannel;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.StripeLocks;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fabric of logical memory nodes, each of which is replicated on several memory nodes. A flush
 * succeeds as long as every logical node has a live copy. If the last copy of one fails, the pool
 * is lost to this fabric, and all flushes fail.
 *
 * <p>Everything that a flush returns is on all live copies: its WRITEs, CAS and FAA, and the values
 * that its READs returned.
 */
public final class ReplicatedFabric implements Fabric {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedFabric.class);
  private static final int VIEW_CHANGER = 1;

  private final Environment environment;
  private final List<NodeConnection.Connector> connectors;
  private final Placement placement;
  private final boolean remote;
  private final boolean hasPeers;
  private final long poolId;
  private final StripeLocks stripeLocks;
  private final CurrentView currentView;
  private final Sharing sharing;

  /** Null if memory nodes keep no logs. */
  private final ReplicatedLog log;

  private final OrphanedFlushes orphanedFlushes;

  /** Null if memory nodes do not keep track of the compute nodes that share them. */
  private final ReplicatedSharing sharers;

  private final PoolEntry entry;
  private final ViewChanger viewChanger;
  private final AtomicInteger lastHolder = new AtomicInteger(VIEW_CHANGER);
  private final AtomicInteger open = new AtomicInteger(1);
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Settings of replication.
   *
   * @param reconnectNanos time between two attempts to reach a node that is away
   * @param windowBytes number of bytes copied at a time, a power of two
   * @param stripes size of the table of stripe locks, a power of two
   * @param agreement settings of the agreement on views; required
   * @param peers opens the network to other compute nodes; null for none
   */
  public record Options(
      WantedPool wanted,
      long reconnectNanos,
      int windowBytes,
      int stripes,
      ViewAgreement.Options agreement,
      PeerOpener peers) {
    /** Any pool, one reconnect attempt per second, windows of 64 KiB. */
    public static final Options DEFAULT =
        new Options(WantedPool.ANY, 1_000_000_000L, 64 << 10, 1 << 16, null, null);

    public Options withWanted(WantedPool value) {
      return new Options(value, reconnectNanos, windowBytes, stripes, agreement, peers);
    }

    public Options withReconnectNanos(long value) {
      return new Options(wanted, value, windowBytes, stripes, agreement, peers);
    }

    public Options withWindowBytes(int value) {
      return new Options(wanted, reconnectNanos, value, stripes, agreement, peers);
    }

    public Options withStripes(int value) {
      return new Options(wanted, reconnectNanos, windowBytes, value, agreement, peers);
    }

    public Options withAgreement(ViewAgreement.Options value) {
      return new Options(wanted, reconnectNanos, windowBytes, stripes, value, peers);
    }

    public Options withPeers(PeerOpener value) {
      return new Options(wanted, reconnectNanos, windowBytes, stripes, agreement, value);
    }
  }

  /**
   * Attaches to a pool, or creates one if all nodes are empty.
   *
   * @param nodes connectors to all nodes, in order
   * @throws PoolOpenException if this is impossible; the message names the nodes that are missing
   *     or do not fit, and what to do
   * @throws FabricException if a node fails meanwhile
   */
  public static ReplicatedFabric open(
      Environment environment, List<NodeConnection.Connector> nodes, Options options) {
    return open(environment, nodes, options, true);
  }

  /**
   * Joins the compute nodes that share a pool.
   *
   * @param nodes connectors to all nodes, in order, which enter a node instead of taking it over
   * @throws PoolOpenException if this is impossible
   * @throws FabricException if a node fails meanwhile
   */
  public static ReplicatedFabric enter(
      Environment environment, List<NodeConnection.Connector> nodes, Options options) {
    ReplicatedFabric fabric = open(environment, nodes, options, false);
    try {
      fabric.entry.enter();
      fabric.entry.learnStep(fabric.log != null);
      fabric.beginTogether();
      return fabric;
    } catch (RuntimeException | Error e) {
      fabric.close();
      throw e;
    }
  }

  private static ReplicatedFabric open(
      Environment environment,
      List<NodeConnection.Connector> nodes,
      Options options,
      boolean isAlone) {
    NodeProbe nodeProbe = NodeProbe.connectAll(nodes);
    try {
      return new ReplicatedFabric(environment, nodes, options, nodeProbe, isAlone);
    } catch (RuntimeException | Error e) {
      nodeProbe.closeAll();
      throw e;
    }
  }

  private ReplicatedFabric(
      Environment environment,
      List<NodeConnection.Connector> connectors,
      Options options,
      NodeProbe nodeProbe,
      boolean isAlone) {
    this.environment = environment;
    this.connectors = connectors;
    this.hasPeers = options.peers() != null;
    this.stripeLocks = new StripeLocks(options.stripes());
    PoolBootstrap bootstrap = new PoolBootstrap(environment, connectors, options, nodeProbe);
    PoolBootstrap.Start start = isAlone ? bootstrap.attach() : bootstrap.enter();
    View view = start.view();
    this.poolId = start.headers().poolId();
    this.placement = view.placement();
    this.remote = view.connection(view.primary(0)).isRemote();
    this.currentView = new CurrentView(environment, view, options.windowBytes());
    this.sharing = new Sharing(environment, currentView);
    if (!isAlone) {
      sharing.fixView();
      sharing.begin();
      nodeProbe.abandonOthers(view);
    }
    this.log =
        start.isDurable()
            ? new ReplicatedLog(
                environment, currentView, options.reconnectNanos(), start.isNew(), sharing)
            : null;
    this.orphanedFlushes = new OrphanedFlushes(environment, currentView, sharing);
    this.sharers = knowsSharers(view) ? newSharing(options.peers()) : null;
    this.entry =
        new PoolEntry(environment, currentView, sharing, start.agreement(), poolId, this, sharers);
    Membership membership =
        new Membership(currentView, sharing, start.headers(), start.agreement());
    this.viewChanger =
        new ViewChanger(
            environment,
            membership,
            newReconnector(nodeProbe, options.reconnectNanos(), isAlone),
            log,
            sharers,
            stripesHold(),
            options.windowBytes());
    viewChanger.start();
  }

  private WriteBarrier stripesHold() {
    HeldStripes heldStripes = new HeldStripes(stripeLocks, environment, VIEW_CHANGER);
    return new WriteBarrier() {
      @Override
      public boolean tryHold(View view, int node, int slot, int logical, long from, int length) {
        return heldStripes.tryLockRange(logical, from, length, currentView::hasSuspects);
      }

      @Override
      public void release() {
        heldStripes.unlock();
      }
    };
  }

  private static boolean knowsSharers(View view) {
    return view.connection(view.primary(0)).sharing() != null;
  }

  private ReplicatedSharing newSharing(PeerOpener peers) {
    return new ReplicatedSharing(
        environment, currentView, sharing, orphanedFlushes, this::share, peers);
  }

  private Reconnector newReconnector(NodeProbe nodeProbe, long periodNanos, boolean isAlone) {
    View view = currentView.last();
    Reconnector reconnector =
        new Reconnector(environment, currentView, connectors, periodNanos, sharing, entry::reserve);
    for (int node = 0; node < placement.nodes(); node++) {
      if (isAlone && !view.isLive(node) && nodeProbe.connection(node) != null) {
        reconnector.setReached(node, nodeProbe.connection(node));
      } else if (!view.isLive(node)) {
        RuntimeException failure = nodeProbe.failure(node);
        currentView.health().setFailure(node, failure == null ? null : failure.getMessage());
      }
    }
    return reconnector;
  }

  /**
   * Lets other compute nodes {@linkplain #enter enter}. From now on flushes use the shared
   * protocol, which takes more round trips, and this compute node does not change the view by
   * itself. No thread uses the pool meanwhile.
   *
   * @param isScanned true if all memory that no table uses was freed
   * @throws PoolOpenException if the pool has no room for the data that sharing needs
   */
  public void share(boolean isScanned) {
    if (sharing.isShared()) {
      return;
    }
    enterAtFixedView(isScanned);
    if (log != null) {
      log.share();
    }
    beginTogether();
  }

  /** A fill epoch is acknowledged at once, since the filling compute node blocks writers. */
  private void beginTogether() {
    sharing.beginTogether();
    if (currentView.last().filling() >= 0) {
      viewChanger.wake();
    }
  }

  /** Repeats this without a memory node that fails meanwhile. */
  private void enterAtFixedView(boolean isScanned) {
    boolean isReset = false;
    boolean isDone = false;
    while (!isDone) {
      viewChanger.fixView();
      try {
        if (!isReset) {
          entry.reset(isScanned);
          isReset = true;
        }
        entry.enter();
        isDone = sharing.begin();
      } catch (FabricException e) {
        currentView.current();
        LOG.debug("sharing the pool without a memory node: {}", e.getMessage());
        sharing.releaseView();
      }
    }
  }

  /** Returns the tenant number of this compute node in a shared pool, or 0 in an exclusive pool. */
  public long tenant() {
    return sharing.tenant();
  }

  /**
   * Completes the flushes of a failed compute node, which is fenced at every memory node. Until
   * then neither its locks nor its latches are granted again.
   *
   * @param dead tenant number of the failed compute node
   * @param isFenced returns true if a tenant that has begun to do this has failed and is fenced
   */
  public void complete(long dead, LongPredicate isFenced) {
    orphanedFlushes.complete(dead, isFenced);
  }

  @Override
  public CopiesCheck copiesCheck() {
    return viewChanger.scrub();
  }

  @Override
  public SharedPool sharing() {
    return hasPeers ? sharers : null;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    int count;
    do {
      count = open.get();
      if (closed.get() || count == 0) {
        throw new FabricException("this process has released the pool", null);
      }
    } while (!open.compareAndSet(count, count + 1));
    int number = lastHolder.incrementAndGet();
    HeldStripes heldStripes = new HeldStripes(stripeLocks, environment, number);
    int preferredNode = Math.floorMod(number, placement.nodes());
    return ReplicatedChannel.open(
        environment,
        currentView,
        heldStripes,
        sharing,
        stagingBytes,
        preferredNode,
        this::channelClosed);
  }

  private void channelClosed() {
    if (open.decrementAndGet() == 0) {
      try {
        entry.leave();
      } finally {
        viewChanger.close();
      }
    }
  }

  @Override
  public int nodeCount() {
    return placement.logicals();
  }

  @Override
  public int physicalNodeCount() {
    return placement.nodes();
  }

  @Override
  public long nodeBytes(int node) {
    if (node < 0 || node >= placement.logicals()) {
      throw new IllegalArgumentException("no such memory node node=" + node);
    }
    return placement.slotBytes();
  }

  /**
   * Returns the address of the memory node with the primary copy, or an empty string if no copy is
   * left.
   */
  @Override
  public String nodeName(int node) {
    View view = currentView.last();
    return view.primaryCopy(node) < 0 ? "" : connectors.get(view.primary(node)).address();
  }

  @Override
  public boolean isRemote() {
    return remote;
  }

  /** Returns the traffic of the connections that are open now. */
  @Override
  public NetworkTraffic traffic() {
    View view = currentView.last();
    NetworkTraffic sum = NetworkTraffic.NONE;
    for (int node = 0; node < placement.nodes(); node++) {
      if (view.connection(node) != null) {
        NetworkTraffic more = view.connection(node).traffic();
        sum =
            new NetworkTraffic(
                sum.frames() + more.frames(),
                sum.bytesSent() + more.bytesSent(),
                sum.bytesReceived() + more.bytesReceived());
      }
    }
    return sum;
  }

  @Override
  public long poolId() {
    return poolId;
  }

  @Override
  public PoolLog log() {
    return log;
  }

  @Override
  public int liveCopies() {
    return currentView.last().liveCopies();
  }

  @Override
  public ReplicationStatus replicationStatus() {
    return currentView
        .health()
        .describe(currentView::last, currentView::isLost, currentView::missed, connectors);
  }

  /** Returns the number of copies if all nodes are live. */
  public int copies() {
    return placement.copies();
  }

  /** Returns the number of the view in force. It increases with each change of the live nodes. */
  public long view() {
    return currentView.last().number();
  }

  /** Returns the live nodes, one bit per node. */
  public long liveNodes() {
    return currentView.last().liveNodes();
  }

  @Override
  public void lose(Throwable why) {
    currentView.loseByError();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      channelClosed();
    }
  }
}
