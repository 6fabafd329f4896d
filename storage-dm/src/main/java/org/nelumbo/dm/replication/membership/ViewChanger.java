package org.nelumbo.dm.replication.membership;

import java.util.function.IntFunction;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.resync.ReplicaScrub;
import org.nelumbo.dm.replication.resync.WriteBarrier;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The view-change thread, which advances the {@link Membership} of memory nodes step by step. It
 * excludes failed nodes, has returning nodes filled, and makes them live. In an exclusive pool it
 * changes the view by itself ({@link SoleViewChange}, {@link SoleFilling}), in a shared pool in
 * step with the other compute nodes ({@link SharedViewChange}, {@link SharedFilling}).
 *
 * <p>The connection to a failed node is closed before the view without it is written to the
 * remaining live nodes. The view is in force only after it is written. So no write is acknowledged
 * that is missing on a node which a later attach might take for live, and nothing is read from a
 * node that misses an acknowledged write.
 */
public final class ViewChanger {
  private static final Logger LOG = LoggerFactory.getLogger(ViewChanger.class);
  private static final long IDLE_NANOS = 50_000_000L;

  /** Longest time for which a flush is in progress, if compute nodes have no leases. */
  private static final long FAILED_NANOS = 2_000_000_000L;

  /** Poll interval while another compute node fills a node. */
  private static final long FOLLOWING_NANOS = 200_000L;

  /** Number of idle steps after which the nodes are probed. */
  private static final int IDLE_MAX = 10;

  /** Maximum number of consecutive failures of this thread, with pauses that grow to a second. */
  private static final int FAILURES_MAX = 10;

  private static final String UNATTENDED =
      "the pool is lost: its view-change thread has failed; the log shows the cause. The"
          + " copies are unchanged: open the pool again";

  private final Environment environment;
  private final Membership membership;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final HeaderWriter headers;
  private final Reconnector reconnector;
  private final ReplicaScrub scrub;

  /** Null if memory nodes keep no logs. */
  private final ReplicatedLog log;

  private final SoleViewChange soleChange;
  private final SoleFilling soleFilling;

  /**
   * Null if memory nodes do not keep track of the compute nodes that share them. Then the failure
   * of a memory node of a shared pool loses the pool.
   */
  private final SharedViewChange sharedChange;

  private final SharedFilling sharedFilling;

  private final BackgroundThread thread;

  /** True while a thread waits until the view is fixed. */
  private volatile boolean isToBeFixed;

  private int idle;
  private int failuresInRow;

  /**
   * Creates a thread that does not run yet.
   *
   * @param log log of the live nodes, or null if they keep none
   * @param sharers other compute nodes that may share the pool, or null if memory nodes do not keep
   *     track of them
   * @param hold write barrier for the flushes of this compute node in an exclusive pool
   * @param windowBytes number of bytes that are copied at a time
   */
  public ViewChanger(
      Environment environment,
      Membership membership,
      Reconnector reconnector,
      ReplicatedLog log,
      SharedViewChange.Sharers sharers,
      WriteBarrier hold,
      int windowBytes) {
    this.environment = environment;
    this.membership = membership;
    this.currentView = membership.currentView();
    this.sharing = membership.sharing();
    this.headers = membership.headers();
    this.reconnector = reconnector;
    this.log = log;
    this.scrub =
        new ReplicaScrub(
            environment,
            currentView,
            headers.channels(),
            windowBytes,
            () -> sharers == null ? FAILED_NANOS : sharers.leaseNanos());
    NodeAdmission admission = new NodeAdmission(membership, reconnector, log != null);
    this.soleChange = new SoleViewChange(membership, reconnector, admission);
    this.soleFilling =
        new SoleFilling(
            environment,
            membership,
            reconnector,
            admission,
            soleChange,
            resync(hold, windowBytes),
            log);
    if (sharers == null) {
      this.sharedChange = null;
      this.sharedFilling = null;
    } else {
      this.sharedChange =
          new SharedViewChange(environment, membership, reconnector, admission, sharers);
      this.sharedFilling =
          new SharedFilling(
              environment, membership, reconnector, admission, sharedChange, sharers, log);
      sharedFilling.setResync(resync(sharedFilling, windowBytes));
    }
    this.thread = new BackgroundThread(environment, "nelumbo-views", this::run, this::isSurvived);
  }

  private ReplicaResync resync(WriteBarrier hold, int windowBytes) {
    return new ReplicaResync(environment, currentView, hold, headers.channels(), windowBytes);
  }

  public void start() {
    currentView.setWakeUp(thread::wake);
    thread.start();
    reconnector.start();
    if (log != null) {
      log.start();
    }
  }

  /** Returns the comparison of copies, whose steps this thread performs. */
  public ReplicaScrub scrub() {
    return scrub;
  }

  /** Wakes this thread to check for work. */
  public void wake() {
    thread.wake();
  }

  /**
   * Fixes the view until it is released, because other compute nodes are about to share the pool.
   *
   * @throws FabricException if the pool is lost
   */
  public void fixView() {
    isToBeFixed = true;
    thread.wake();
    for (int attempt = 0; !sharing.isViewFixed() && !membership.isLost(); attempt++) {
      environment.backoff(attempt);
    }
    currentView.current();
  }

  private void run() {
    soleFilling.restart();
    if (membership.restart()) {
      soleChange.run(membership.view());
    }
    while (!thread.isStopped() && !membership.isLost()) {
      if (isToBeFixed && !currentView.hasSuspects()) {
        isToBeFixed = false;
        soleFilling.letGo();
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
    if (membership.isLost()) {
      LOG.error("{}", currentView.whyLost());
      disconnect();
    }
  }

  /**
   * No flush that meets a failed node could continue without this thread, so it resumes after any
   * error. It then writes the view in force again, since nodes may have received a view that never
   * came into force. After too many consecutive failures the pool is lost, and all waiting flushes
   * fail.
   */
  private boolean isSurvived(Throwable why) {
    failuresInRow++;
    if (failuresInRow <= FAILURES_MAX && !membership.isLost()) {
      return true;
    }
    currentView.lose(0, UNATTENDED);
    reconnector.stop();
    disconnect();
    LOG.error(UNATTENDED, why);
    return false;
  }

  /**
   * Short while a node is filled, because the filling compute node waits for the others at each
   * epoch.
   */
  private long idleNanos() {
    if (!sharing.isTogether()) {
      return IDLE_NANOS;
    }
    boolean isFilled =
        membership.view().filling() >= 0 || (sharedFilling != null && sharedFilling.isFollowing());
    return Math.min(isFilled ? FOLLOWING_NANOS : IDLE_NANOS, reconnector.periodNanos());
  }

  private void followOthers() {
    if (sharedChange == null || !sharing.isTogether() || thread.isStopped()) {
      return;
    }
    try {
      if (sharedChange.isWanted()) {
        sharedChange.run(0, null);
      }
    } catch (FabricException e) {
      LOG.debug("{}", e.getMessage());
      idle = IDLE_MAX; // so that all nodes are probed
    }
  }

  /** Detects failed nodes that no flush uses. */
  private void probe() {
    if (idle >= IDLE_MAX && !thread.isStopped()) {
      idle = 0;
      exclude(headers.probe(membership.view()), headers::failure);
    }
  }

  private boolean step() {
    if (currentView.hasSuspects()) {
      exclude(currentView.drainSuspects(), currentView::cause);
      return true;
    }
    View view = membership.view();
    if (!sharing.isViewFixed()) {
      return soleFilling.step(view) || scrub.step(view);
    }
    return sharing.isTogether()
        && (sharedFilling != null && fillTogether(view) || view.filling() < 0 && scrub.step(view));
  }

  private boolean fillTogether(View view) {
    try {
      return sharedFilling.step(view);
    } catch (FabricException e) {
      membership.lose(Math.max(0, e.node()), e.getMessage());
      return true;
    }
  }

  private void exclude(long nodes, IntFunction<FabricException> why) {
    if (nodes == 0) {
      return;
    }
    long part = nodes & membership.view().connectedNodes();
    if (sharing.isViewFixed() && part != 0 && !sharing.releaseView()) {
      excludeTogether(part, why);
    } else {
      soleChange.exclude(nodes, why);
    }
  }

  private void excludeTogether(long nodes, IntFunction<FabricException> why) {
    int revoked = -1;
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      String message = why.apply(node).getMessage();
      currentView.health().setFailure(node, message);
      boolean isLive = membership.view().isLive(node);
      revoked = isLive && why.apply(node).isRevoked() ? node : revoked;
      LOG.warn("memory node {} has failed: {}", reconnector.name(node), message);
    }
    if (sharedChange == null || !sharing.isTogether() || revoked >= 0) {
      int node = revoked >= 0 ? revoked : Long.numberOfTrailingZeros(nodes);
      membership.lose(node, why.apply(node).getMessage());
      return;
    }
    sharedChange.run(nodes, null);
  }

  private void disconnect() {
    View view = membership.view();
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.connection(node) != null) {
        view.connection(node).close();
      }
    }
  }

  /** Stops the thread and releases the nodes. All channels must be closed before. */
  public void close() {
    if (log != null) {
      log.stop();
    }
    thread.stop();
    thread.join();
    reconnector.stop(); // the thread may have ended before it began to work
    if (!membership.isLost() && !currentView.isDiverged() && sharing.isComplete()) {
      headers.writeInUse(membership.view(), false);
    }
    if (sharedFilling != null) {
      sharedFilling.close();
    }
    headers.channels().close();
    disconnect();
    if (log != null) {
      log.close();
    }
  }
}
