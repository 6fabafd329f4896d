package org.nelumbo.dm.replication.membership;

import java.util.List;
import java.util.function.IntFunction;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.resync.ReplicaScrub;
import org.nelumbo.dm.replication.verbs.ReplicatedFlush;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the view, on a thread of its own and step by step: excludes nodes that have failed,
 * admits those that are back, has them resynchronised, makes them live.
 *
 * <p>A node is cut off before the view without it is written to the nodes that stay live, and that
 * is done before the view is in force: nobody is told of a write that is missing on a node which an
 * attach might take for live, and nothing is read from a node that misses a write.
 */
public final class ViewChanger {
  private static final Logger LOG = LoggerFactory.getLogger(ViewChanger.class);
  private static final long IDLE_NANOS = 50_000_000L;

  /** While somebody else fills a node. */
  private static final long FOLLOWING_NANOS = 200_000L;

  /** Number of idle steps after which the nodes are probed. */
  private static final int IDLE_MAX = 10;

  /** Steps that may fail one after the other, with pauses that grow to a second. */
  private static final int FAILURES_MAX = 10;

  private static final double NANOS_A_SECOND = 1e9;

  private static final String UNATTENDED =
      "the pool is lost: the thread that looks after the copies has failed; the log says why. The"
          + " copies are as they were: open the pool again";

  private final Environment environment;
  private final CurrentView currentView;
  private final List<NodeConnection.Connector> connectors;
  private final NodeChannels channels;
  private final HeaderWriter headers;
  private final ReplicaResync resync;
  private final ReplicaScrub scrub;

  /** Null: memory nodes keep no log. */
  private final ReplicatedLog log;

  private final Reconnector reconnector;

  /** Null: views are not decided by the memory nodes. */
  private final ViewAgreement agreement;

  private final Sharing sharing;

  /** Null: if a memory node fails while others have the pool, too, it is lost. */
  private final SharedViewChange sharedViewChange;

  private final SharedFilling sharedFilling;

  /** Last message about each node that is not used, so that it is logged once. */
  private final String[] rejections;

  /** Of the last connection to each node; -1: it is not known what the node has. */
  private final long[] epochs;

  private final BackgroundThread thread;

  /** Somebody waits until the view is fixed. */
  private volatile boolean isToBeFixed;

  private String lastFailure;
  private long lastNumber;
  private long resyncSince;
  private int resyncNode = -1;
  private int idle;
  private int failuresInRow;

  /**
   * @param channels for this object alone, as the others
   * @param log that live nodes keep; null: they keep none
   * @param agreement of the memory nodes on views
   * @param windowBytes that are copied at a time
   * @param sharing whether other compute nodes are to have the pool, too: then views are changed
   *     together with them
   * @param gate for their flushes
   * @param logGate for what they append
   * @param sharers those others; null: memory nodes do not know them
   */
  public ViewChanger(
      Environment environment,
      CurrentView currentView,
      List<NodeConnection.Connector> connectors,
      NodeChannels channels,
      HeaderWriter headers,
      ReplicaResync replicaResync,
      ReplicaScrub scrub,
      ReplicatedLog log,
      Reconnector reconnector,
      int windowBytes,
      ViewAgreement agreement,
      Sharing sharing,
      ViewGate gate,
      ViewGate logGate,
      SharedViewChange.Sharers sharers) {
    boolean isShareable = sharers != null;
    SharedSteps steps =
        new SharedSteps(environment, currentView, sharing, gate, logGate, log, headers, sharers);
    this.sharedFilling =
        isShareable
            ? new SharedFilling(
                environment,
                currentView,
                steps,
                log,
                headers,
                sharers,
                reconnector,
                this::isAdmissible,
                reconnector.periodNanos())
            : null;
    this.sharedViewChange =
        isShareable
            ? new SharedViewChange(
                environment,
                currentView,
                sharing,
                List.of(gate, logGate),
                headers,
                agreement,
                sharers,
                sharedFilling)
            : null;
    if (isShareable) {
      ReplicaResync sharedResync =
          new ReplicaResync(environment, currentView, sharedFilling, channels, windowBytes);
      sharedFilling.prepare(sharedResync, admission -> changeTogether(0, admission));
    }
    this.environment = environment;
    this.currentView = currentView;
    this.connectors = connectors;
    this.channels = channels;
    this.headers = headers;
    this.resync = replicaResync;
    this.scrub = scrub;
    this.log = log;
    this.reconnector = reconnector;
    this.agreement = agreement;
    this.sharing = sharing;
    this.rejections = new String[connectors.size()];
    this.lastNumber = currentView.last().number();
    this.epochs = new long[connectors.size()];
    for (int node = 0; node < epochs.length; node++) {
      View view = currentView.last();
      epochs[node] = view.isLive(node) ? view.connection(node).epoch() : -1;
    }
    this.thread = new BackgroundThread(environment, "nelumbo-steward", this::run, this::isSurvived);
  }

  public void start() {
    currentView.setWakeUp(thread::wake);
    thread.start();
    reconnector.start();
    if (log != null) {
      log.start();
    }
  }

  /** Looks at once whether there is something to do. */
  public void wake() {
    thread.wake();
  }

  /**
   * Leaves the view as it is, until it is released: others are going to share the pool.
   *
   * @throws FabricException if the pool is lost
   */
  public void fixView() {
    isToBeFixed = true;
    thread.wake();
    for (int attempt = 0; !sharing.isViewFixed() && !currentView.isLost(); attempt++) {
      environment.backoff(attempt);
    }
    currentView.current();
  }

  private void run() {
    resyncNode = -1;
    if (lastNumber > currentView.last().number()) {
      changeView(currentView.last());
    }
    while (!thread.isStopped() && !currentView.isLost()) {
      if (isToBeFixed && !currentView.hasSuspects()) {
        isToBeFixed = false;
        letGo();
        scrub.end();
        sharing.fixView();
      }
      boolean isIdle = !step();
      failuresInRow = 0;
      if (isIdle) {
        environment.parkNanos(idleNanos());
        idle++;
        probe();
        followOthers();
      }
    }
    reconnector.stop();
    if (currentView.isLost()) {
      LOG.error("{}", currentView.whyLost());
      disconnect();
    }
  }

  /**
   * Without this thread nobody who meets a failed node would ever go on. So it takes up its work
   * again, whatever has happened, and first of all makes sure that the nodes know the view in
   * force: some may have been told of one that never was. If that leads to nothing, the pool is
   * lost, and everybody is told.
   */
  private boolean isSurvived(Throwable why) {
    failuresInRow++;
    if (failuresInRow <= FAILURES_MAX && !currentView.isLost()) {
      return true;
    }
    currentView.lose(0, UNATTENDED);
    reconnector.stop();
    disconnect();
    LOG.error(UNATTENDED, why);
    return false;
  }

  /** Whoever fills a node waits for the others at each step. */
  private long idleNanos() {
    if (!sharing.isTogether()) {
      return IDLE_NANOS;
    }
    boolean isFilled =
        currentView.last().filling() >= 0 || (sharedFilling != null && sharedFilling.isFollowing());
    return Math.min(isFilled ? FOLLOWING_NANOS : IDLE_NANOS, reconnector.periodNanos());
  }

  /** Goes along with others that share the pool, and have agreed on another view. */
  private void followOthers() {
    if (sharedViewChange == null || !sharing.isTogether() || thread.isStopped()) {
      return;
    }
    try {
      if (sharedViewChange.isWanted()) {
        changeTogether(0, null);
      }
    } catch (FabricException e) {
      LOG.debug("{}", e.getMessage());
      idle = IDLE_MAX; // so that all nodes are probed
    }
  }

  /** Finds nodes that have failed while nobody used them. */
  private void probe() {
    if (idle >= IDLE_MAX && !thread.isStopped()) {
      idle = 0;
      exclude(headers.probe(currentView.last()), channels::failure);
    }
  }

  /** Does one step; returns false if there is nothing to do. */
  private boolean step() {
    if (currentView.hasSuspects()) {
      exclude(currentView.drainSuspects(), currentView::cause);
      return true;
    }
    View view = currentView.last();
    if (sharing.isViewFixed()) {
      return sharing.isTogether() && sharedFilling != null && fillTogether(view);
    }
    for (int node = 0; node < connectors.size(); node++) {
      NodeConnection back = reconnector.reached(node);
      if (back != null) {
        tryToAdmit(view, node, back);
        return true;
      }
    }
    for (int node = 0; node < connectors.size(); node++) {
      if (view.resync(node) != null) {
        resync(view, node);
        return true;
      }
    }
    if (log != null) {
      log.endJoin(); // of a node that has been left out meanwhile
    }
    return scrub.step(view);
  }

  private boolean fillTogether(View view) {
    try {
      return sharedFilling.step(view);
    } catch (FabricException e) {
      lose(Math.max(0, e.node()), e.getMessage());
      return true;
    }
  }

  /** Ends the connections to nodes that were being filled, or about to be. */
  private void letGo() {
    if (log != null) {
      log.endJoin();
    }
    for (int node = 0; node < connectors.size(); node++) {
      View view = currentView.last();
      if (view.resync(node) != null) {
        view.connection(node).close();
        currentView.install(view.with(view.number(), node, null, null));
      }
      reconnector.letGo(node);
    }
    resyncNode = -1;
  }

  private void resync(View view, int node) {
    if (resyncNode != node) {
      resyncNode = node;
      resyncSince = environment.nanoTime();
      resync.begin(view, node);
    }
    if (!view.resync(node).isFinished()) {
      resync.step(view, node);
      view.resync(node)
          .measure(
              resync.copiedBytes() + resync.equalBytes(), environment.nanoTime() - resyncSince);
      return;
    }
    if (log != null && !log.join(view, node)) {
      return;
    }
    resyncNode = -1;
    if (changeView(view.with(view.number(), node, view.connection(node), null))
        && currentView.last().isLive(node)) {
      currentView.health().countFilled(node);
      rejections[node] = null;
      LOG.info(
          "memory node {} is filled and live again, view {}: {} bytes were copied, {} were there,"
              + " in {} s",
          connectors.get(node).name(),
          currentView.last().number(),
          resync.copiedBytes(),
          resync.equalBytes(),
          (environment.nanoTime() - resyncSince) / NANOS_A_SECOND);
    }
  }

  /** Excludes nodes from the view. */
  private void exclude(long nodes, IntFunction<FabricException> why) {
    if (nodes == 0) {
      return;
    }
    View view = currentView.last();
    long part = nodes & view.connectedNodes();
    if (sharing.isViewFixed() && part != 0 && !sharing.releaseView()) {
      leaveOut(part, why);
      return;
    }
    if (isReplaced(view, nodes, why)) {
      return;
    }
    View next = without(view, nodes, why);
    if (next.liveNodes() == view.liveNodes()) {
      currentView.install(next);
    } else {
      changeView(next);
    }
  }

  /** Leaves nodes out that others have, too, or loses the pool. */
  private void leaveOut(long nodes, IntFunction<FabricException> why) {
    int revoked = -1;
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      lastFailure = why.apply(node).getMessage();
      currentView.health().setFailure(node, lastFailure);
      boolean isLive = currentView.last().isLive(node);
      revoked = isLive && why.apply(node).isRevoked() ? node : revoked;
      LOG.warn("memory node {} has failed: {}", connectors.get(node).name(), lastFailure);
    }
    if (sharedViewChange == null || !sharing.isTogether() || revoked >= 0) {
      int node = revoked >= 0 ? revoked : Long.numberOfTrailingZeros(nodes);
      lose(node, why.apply(node).getMessage());
      return;
    }
    changeTogether(nodes, null);
  }

  private void changeTogether(long nodes, ViewAgreement.Admission admission) {
    try {
      sharedViewChange.run(nodes, admission);
      for (int node = 0; node < connectors.size(); node++) {
        if (currentView.last().connection(node) != null) {
          reconnector.settled(node);
        }
      }
    } catch (FabricException | PoolOpenException e) {
      int node = nodes == 0 ? 0 : Long.numberOfTrailingZeros(nodes);
      lose(node, e.getMessage());
    }
  }

  /**
   * Whether one of the nodes that have closed their connections serves somebody else: then the pool
   * is lost, and no view is written by this process any more.
   */
  private boolean isReplaced(View view, long nodes, IntFunction<FabricException> why) {
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      String owner = view.connection(node).replacedBy(why.apply(node));
      if (!owner.isEmpty()) {
        currentView.loseTo(node, connectors.get(node).name(), owner);
        return true;
      }
    }
    return false;
  }

  /** Closes the connections of nodes; returns a view without them. */
  private View without(View view, long nodes, IntFunction<FabricException> why) {
    View next = view;
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      String message = why.apply(node).getMessage();
      currentView.health().setFailure(node, message);
      if (!message.equals(rejections[node])) {
        LOG.warn(
            "memory node {} has failed; going on without it: {}",
            connectors.get(node).name(),
            message);
      }
      rejections[node] = message;
      lastFailure = message;
      view.connection(node).close();
      next = next.with(view.number(), node, null, null);
      resyncNode = resyncNode == node ? -1 : resyncNode;
    }
    return next;
  }

  /**
   * Puts a view with other live nodes in force, or one without those that fail meanwhile. Returns
   * false if no view has a live copy of everything. All of its nodes are asked first: if one serves
   * somebody else, none is told of a view by which a later attach could go on with what it has.
   */
  private boolean changeView(View wanted) {
    View next = wanted;
    while (next.lost() < 0 && !currentView.isLost()) {
      next = next.with(++lastNumber);
      long failed = headers.probe(next);
      if (failed == 0 && !isDecided(next)) {
        return false;
      }
      if (failed == 0) {
        failed = headers.writeView(next);
      }
      if (failed == 0) {
        currentView.install(next);
        LOG.info("view {} of nodes {}", next.number(), NodeBits.toString(next.liveNodes()));
        return true;
      }
      if (isReplaced(next, failed, channels::failure)) {
        return false;
      }
      next = without(next, failed, channels::failure);
    }
    if (currentView.isLost()) {
      return false;
    }
    int primary = next.placement().node(next.lost(), 0);
    lose(
        primary,
        "no copy is left of what memory node "
            + connectors.get(primary).name()
            + " had: too many memory nodes have failed; live are "
            + NodeBits.toString(next.liveNodes())
            + (lastFailure == null ? "" : "; the last failure: " + lastFailure));
    return false;
  }

  /**
   * Whether the memory nodes have agreed on a view; if they have not, the pool is lost: somebody
   * else owns it, or may.
   */
  private boolean isDecided(View next) {
    try {
      if (agreement.decide(next, headers.poolId(), headers.incarnations())) {
        return true;
      }
      loseToOwner();
    } catch (NoMajorityException e) {
      lose(
          0,
          "too few memory nodes answer to agree on who is left: "
              + e.getMessage()
              + (lastFailure == null ? "" : "; the last failure: " + lastFailure)
              + "; start those that are missing, and open the pool again");
    }
    return false;
  }

  private void loseToOwner() {
    lose(
        0,
        agreement.known().owner().name()
            + " has taken it over while this process could not be heard of");
  }

  /** A node that is back decides with the others from now on, whatever it has of the pool. */
  private void renewAgreement(View view) {
    try {
      if (!agreement.renew(view)) {
        loseToOwner();
      }
    } catch (NoMajorityException e) {
      LOG.debug("those who decide stay as they are: {}", e.getMessage());
    }
  }

  private void lose(int node, String why) {
    currentView.lose(node, "the pool is lost: " + why);
  }

  /** Closes all connections. */
  private void disconnect() {
    View view = currentView.last();
    for (int node = 0; node < connectors.size(); node++) {
      if (view.connection(node) != null) {
        view.connection(node).close();
      }
    }
  }

  /** Whatever happens, the connection is in the view afterwards, or closed. */
  private void tryToAdmit(View view, int node, NodeConnection back) {
    boolean isNext = epochs[node] >= 0 && back.epoch() == epochs[node] + 1;
    epochs[node] = back.epoch();
    if (!isNext) {
      currentView.missed(node).markAll();
    }
    try {
      admit(view, node, back);
    } finally {
      if (currentView.last().connection(node) != back) {
        back.close();
      }
      reconnector.settled(node);
    }
  }

  private void admit(View view, int node, NodeConnection back) {
    View next = view.with(view.number(), node, back, new ResyncProgress(view.placement().slots()));
    NodeHeader header = headers.read(next, node);
    if (header == null) {
      return;
    }
    if (!isAdmissible(node, header, back)) {
      return;
    }
    if (header.incarnation() != headers.incarnation(node)) {
      currentView.missed(node).markAll();
    }
    headers.setIncarnation(node, header.incarnation());
    if (header.wasShared() && !headers.forgetIntents(next, node)) {
      return;
    }
    if (headers.format(next, node)) {
      if (!wantsRoom(node)) {
        LOG.info("memory node {} is back and is being filled", connectors.get(node).name());
      }
      currentView.install(next);
      renewAgreement(next);
    }
  }

  /** Whether a node is what it is to be; if not, that is said. */
  private boolean isAdmissible(int node, NodeHeader header, NodeConnection back) {
    String rejection = rejection(currentView.last().placement(), node, header, back);
    if (rejection == null) {
      return true;
    }
    if (!rejection.equals(rejections[node])) {
      LOG.warn("memory node {} is not used: {}", connectors.get(node).name(), rejection);
    }
    rejections[node] = rejection;
    currentView.health().setFailure(node, rejection);
    return false;
  }

  /**
   * Whether a node was last excluded because its file cannot grow; it is tried again until there is
   * room.
   */
  private boolean wantsRoom(int node) {
    return rejections[node] != null && rejections[node].startsWith(ReplicatedFlush.NO_ROOM_TEXT);
  }

  private String rejection(
      Placement placement, int node, NodeHeader header, NodeConnection connection) {
    long bytes = connection.nodeBytes();
    if ((connection.log() != null) != (log != null)) {
      return log == null
          ? "it is durable (--durable), and the others are not"
          : "it is not durable, as the others are: start it with --durable";
    }
    if (bytes < placement.bytes()) {
      return "it has "
          + bytes
          + " bytes, the pool needs "
          + placement.bytes()
          + " of each node: start it with as much --memory as the others";
    }
    if (header.isEmpty()) {
      return null;
    }
    if (header.magic() != NodeHeaderLayout.MAGIC || header.poolId() != headers.poolId()) {
      return "its memory belongs to something else; empty it (remove its --data) to use it here";
    }
    return header.node() == node
        ? null
        : "it is memory node " + header.node() + " of this pool, named in another's place";
  }

  /** Stops and releases the nodes; to be called when no channel is open any more. */
  public void close() {
    if (log != null) {
      log.stop();
    }
    thread.stop();
    thread.join();
    reconnector.stop(); // the thread may have ended before it began to work
    if (!currentView.isLost() && !currentView.isDiverged() && !sharing.isShared()) {
      headers.writeInUse(currentView.last(), false);
    }
    if (sharedFilling != null) {
      sharedFilling.close();
    }
    channels.close();
    disconnect();
    if (log != null) {
      log.close();
    }
  }
}
