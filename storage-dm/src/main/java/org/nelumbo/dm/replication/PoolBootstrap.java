package org.nelumbo.dm.replication;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.membership.AttachQuorum;
import org.nelumbo.dm.replication.membership.NodeProbe;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.resync.ReplicaReconciler;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Start of a compute node on the memory nodes of a pool, up to its first view. An attach creates
 * the pool, or repairs it and puts the next view in force. A join uses the view that the members of
 * a shared pool have in force.
 */
final class PoolBootstrap {
  private static final Logger LOG = LoggerFactory.getLogger(PoolBootstrap.class);
  private static final int TAKEOVERS_MAX = 10;

  private final Environment environment;
  private final List<NodeConnection.Connector> connectors;
  private final int windowBytes;
  private final NodeProbe nodeProbe;
  private final AttachQuorum quorum;
  private final ViewAgreement agreement;
  private final boolean isNew;
  private final boolean isDurable;
  private final long poolId;

  /**
   * Result of a start.
   *
   * @param headers writer of headers, whose channels have room for as many windows as are copied
   *     together
   * @param isNew true if the pool was created
   * @param isDurable true if memory nodes keep logs
   */
  record Start(
      View view, HeaderWriter headers, ViewAgreement agreement, boolean isNew, boolean isDurable) {}

  /**
   * Prepares a start on memory nodes that were probed.
   *
   * @throws PoolOpenException if there is no pool, and one is required
   */
  PoolBootstrap(
      Environment environment,
      List<NodeConnection.Connector> connectors,
      ReplicatedFabric.Options options,
      NodeProbe nodeProbe) {
    this.environment = environment;
    this.connectors = connectors;
    this.windowBytes = options.windowBytes();
    this.nodeProbe = nodeProbe;
    this.quorum = new AttachQuorum(nodeProbe, options.wanted());
    List<String> addresses = connectors.stream().map(NodeConnection.Connector::address).toList();
    this.agreement = new ViewAgreement(environment, options.agreement(), addresses);
    this.isNew = quorum.isNew(agreement);
    if (isNew) {
      options.wanted().expectation().checkAbsent("memory nodes " + String.join(", ", addresses));
    }
    this.isDurable = quorum.isDurable();
    this.poolId = isNew ? newPoolId() : quorum.poolId();
  }

  /** A pool that exists in logs keeps the id of the logs. */
  private long newPoolId() {
    long logId = nodeProbe.connection(0).logId();
    return logId == 0 ? environment.randomLong() : logId;
  }

  /** Attaches to the pool, or creates it. */
  Start attach() {
    View first = decided();
    NodeChannels channels = channels(first);
    HeaderWriter headers = new HeaderWriter(channels, poolId, nodeProbe.incarnations());
    View view =
        isNew || quorum.isCold() ? format(first, headers) : attach(first, headers, channels);
    return new Start(view, headers, agreement, isNew, isDurable);
  }

  /** Joins the compute nodes that share the pool. */
  Start enter() {
    View view = shared();
    NodeChannels channels = channels(view);
    HeaderWriter headers = new HeaderWriter(channels, poolId, nodeProbe.incarnations());
    if (view.filling() >= 0) {
      headers.setIncarnation(
          view.filling(), agreement.known().nodes().get(view.filling()).incarnation());
    }
    agreement.joinOwner();
    return new Start(view, headers, agreement, isNew, isDurable);
  }

  private NodeChannels channels(View view) {
    long windows = Math.max(view.placement().copies(), ReplicaResync.WINDOWS_TOGETHER);
    MemorySegment staging = Arena.ofAuto().allocate(windows * windowBytes, 64);
    return new NodeChannels(view.placement().nodes(), staging);
  }

  /** No other compute node can put a view in force afterwards. */
  private View decided() {
    agreement.inquire();
    if (isNew) {
      View first = quorum.newView(agreement);
      if (isDurable) {
        ReplicatedLog.unify(
            first); // so that each live node has the pool's log, even if the start is interrupted
      }
      agreement.create(first, poolId, nodeProbe.incarnations());
      return first;
    }
    for (int attempt = 0; attempt < TAKEOVERS_MAX; attempt++) {
      quorum.learn(agreement);
      View next = quorum.nextView();
      if (quorum.isForced()) {
        agreement.force(next, poolId, nodeProbe.incarnations());
        return next;
      }
      if (agreement.isUndecided()) {
        agreement.create(next, poolId, nodeProbe.incarnations());
        return next;
      }
      if (agreement.takeOver(next, poolId, nodeProbe.incarnations(), agreement.number())) {
        return next;
      }
    }
    throw new PoolOpenException("another compute node is changing the pool: try again");
  }

  private View format(View view, HeaderWriter headers) {
    for (int node = 0; node < view.placement().nodes(); node++) {
      boolean isClear =
          !view.isLive(node)
              || nodeProbe.header(node).leftBytes() == 0
              || headers.clear(view, node);
      if (view.isLive(node) && !(isClear && headers.format(view, node))) {
        throw new FabricException(node, "a memory node failed while the pool was created", null);
      }
    }
    return view;
  }

  /**
   * Repairs the copies if the last owner did not close the pool; returns the view that is in force.
   */
  private View attach(View first, HeaderWriter headers, NodeChannels channels) {
    int nodes = first.placement().nodes();
    boolean inUse = quorum.isForced();
    boolean isOld = false;
    for (int node = 0; node < nodes; node++) {
      inUse |= first.isLive(node) && nodeProbe.header(node).inUse();
      isOld |= first.isLive(node) && nodeProbe.header(node).isOld();
    }
    for (int node = 0; node < nodes; node++) {
      if (inUse
          && first.isLive(node)
          && nodeProbe.header(node).wasShared()
          && !headers.forgetIntents(first, node)) {
        throw new FabricException(node, "a memory node failed during the attach", null);
      }
    }
    View view = inUse ? reconciled(first, headers, channels) : first;
    long failed =
        (isOld ? headers.writeFormat(view) : 0)
            | headers.writeInUse(view, true)
            | (view == first ? headers.writeView(view) : writeView(view, headers));
    if (failed != 0) {
      throw new FabricException(
          Long.numberOfTrailingZeros(failed), "a memory node failed during the attach", null);
    }
    if (view.liveNodes() != NodeBits.all(nodes)) {
      LOG.warn(
          "attached without all memory nodes: view {} of nodes {}",
          view.number(),
          NodeBits.toString(view.liveNodes()));
    }
    return view;
  }

  private View reconciled(View first, HeaderWriter headers, NodeChannels channels) {
    // The number of the first view is in use, if it is decided already.
    View from = first.with(first.number() + 1);
    return new ReplicaReconciler(
            from, channels, headers, view -> writeView(view, headers), windowBytes)
        .reconcile();
  }

  /** Returns the nodes that failed, one bit per node. */
  private long writeView(View view, HeaderWriter headers) {
    try {
      if (!agreement.decide(view, poolId, headers.incarnations())) {
        throw new PoolOpenException(
            "the pool was just attached by " + agreement.known().owner().name());
      }
    } catch (NoMajorityException e) {
      throw new FabricException(0, "memory nodes failed during the attach: " + e.getMessage(), e);
    }
    return headers.writeView(view);
  }

  private View shared() {
    if (isNew) {
      throw new PoolOpenException("there is no pool on the memory nodes");
    }
    agreement.inquire();
    quorum.learn(agreement);
    View view = quorum.sharedView();
    int filling = agreement.known().filling();
    return filling < 0 ? view : withFilling(view, filling);
  }

  private View withFilling(View view, int node) {
    NodeConnection connection = connectors.get(node).rejoin();
    boolean isThere = false;
    try (Channel channel =
        connection.openChannel(Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64))) {
      long incarnation = agreement.known().nodes().get(node).incarnation();
      isThere = NodeHeader.read(channel).incarnation() == incarnation;
    } finally {
      if (!isThere) {
        connection.close();
      }
    }
    if (!isThere) {
      throw new FabricException(node, "a memory node that is being filled has failed", null);
    }
    return view.with(view.number(), node, connection, new ResyncProgress(view.placement().slots()));
  }
}
