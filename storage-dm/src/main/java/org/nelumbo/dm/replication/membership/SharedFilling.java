package org.nelumbo.dm.replication.membership;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.resync.WriteBarrier;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filling of a memory node that has returned while several compute nodes share the pool. One
 * compute node fills the node, in fill epochs ({@link FillEpoch}) that all others follow.
 *
 * <ol>
 *   <li>The first compute node that has reached the node, if no other one is filling, invites the
 *       others to connect to it. When all are connected, the next view includes the node as one
 *       that is being filled.
 *   <li>The filling compute node publishes an epoch with a write barrier for a range. When all
 *       compute nodes are at that epoch, and no flush is at an earlier one, it copies the range.
 *       From the next epoch on, the node receives writes to the range as a backup does.
 *   <li>If memory nodes keep logs, the node receives the missing part of the log while all compute
 *       nodes append. In one epoch appends are blocked, and the rest is copied. From the next epoch
 *       on, the node receives appends, too.
 *   <li>When everything is copied, and all compute nodes have reached that epoch, the next view
 *       includes the node as live.
 * </ol>
 *
 * <p>After any failure the node is left out and filling starts again: if this or another memory
 * node fails, or if a compute node is fenced, whose flushes may be at the node and nowhere else.
 * Confined to the view-change thread.
 */
final class SharedFilling implements WriteBarrier {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFilling.class);

  /** Maximum time for which an unresponsive compute node delays writers at a write barrier. */
  private static final long HOLD_NANOS = 50_000_000L;

  /** Number of polls without a new epoch after which to check whether a compute node is filling. */
  private static final int STILL_MAX = 200;

  /** Time to wait for invited compute nodes, in reconnect periods. */
  private static final int INVITED_PERIODS = 10;

  private static final int DELAY_SHIFT_MAX = 6;
  private static final double NANOS_A_SECOND = 1e9;

  private final Environment environment;
  private final CurrentView currentView;
  private final HeaderWriter headers;
  private final Reconnector reconnector;
  private final NodeAdmission admission;
  private final SharedViewChange change;
  private final SharedViewChange.Sharers sharers;

  /** Null if memory nodes keep no logs. */
  private final ReplicatedLog log;

  private final SharedEpochs steps;
  private final SharedCheckpoints logCheckpoints;
  private final long periodNanos;
  private ReplicaResync resync;

  private FillEpoch invitation;

  private long invitedSince;
  private int failuresInRow;
  private long notBefore;

  private int looksWithoutStep;

  /** View in which this compute node fills a node, or 0. */
  private long fillingView;

  private long fillingSince;

  /**
   * True if a compute node has not reached the last epoch, so that this thread checks for failures.
   */
  private boolean isHeldUp;

  private int slot;

  /** True if the memory of the node is complete and all compute nodes have reached that epoch. */
  private boolean isCovered;

  private boolean isJoined;

  SharedFilling(
      Environment environment,
      Membership membership,
      Reconnector reconnector,
      NodeAdmission admission,
      SharedViewChange change,
      SharedViewChange.Sharers sharers,
      ReplicatedLog log) {
    this.environment = environment;
    this.currentView = membership.currentView();
    this.headers = membership.headers();
    this.reconnector = reconnector;
    this.admission = admission;
    this.change = change;
    this.sharers = sharers;
    this.log = log;
    this.periodNanos = reconnector.periodNanos();
    this.steps = new SharedEpochs(environment, membership, log, sharers);
    this.logCheckpoints = new SharedCheckpoints(environment, steps, sharers, log, periodNanos);
  }

  /**
   * Sets the component that makes the copies. It uses this object as its write barrier ({@link
   * WriteBarrier}).
   */
  void setResync(ReplicaResync replicaResync) {
    resync = replicaResync;
  }

  /** Performs one step; returns false if there is nothing to do. */
  boolean step(View view) {
    try {
      if (steps.begin(view) && log != null) {
        log.endJoin(); // of a node that has been left out meanwhile
      }
      if (view.filling() < 0) {
        return inviteOrReply(view);
      }
      return fillingView == view.number() ? fill(view) : follow(view);
    } catch (FabricException e) {
      if (e.isRevoked() || e.node() < 0 || view.connection(e.node()) == null) {
        throw e;
      }
      currentView.suspect(e.node(), view.connection(e.node()), e);
      return true;
    }
  }

  void close() {
    steps.close();
  }

  /**
   * Returns true if another compute node is about to write a log checkpoint, so that this thread
   * should poll frequently.
   */
  boolean isFollowing() {
    return logCheckpoints.isFollowing();
  }

  private boolean inviteOrReply(View view) {
    fillingView = 0;
    long filler = steps.table().filler();
    if (invitation != null && invitation.view() == view.number() && filler == steps.self()) {
      return awaitInvited(view);
    }
    invitation = null;
    if (filler == steps.self()) {
      logCheckpoints.endOwn(view);
      steps.table().setFiller(filler, 0);
      return false;
    }
    if (filler != 0 && steps.isSharer(filler)) {
      follow(view, filler, steps.table().fillStep());
      return false;
    }
    logCheckpoints.end(view);
    int node = reachedNode(view);
    boolean isTime = environment.nanoTime() - notBefore >= 0;
    if (node >= 0 && isTime && steps.table().setFiller(filler, steps.self())) {
      return invite(view, node);
    }
    if (logCheckpoints.isDue()) {
      logCheckpoints.mark(view, filler);
    }
    return false;
  }

  private void follow(View view, long filler, FillEpoch step) {
    if (step.node() == FillEpoch.NO_NODE) {
      logCheckpoints.follow(view, filler, step);
    } else {
      logCheckpoints.end(view);
      reply(view, step);
    }
  }

  private int reachedNode(View view) {
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.connection(node) == null && reconnector.reached(node) != null) {
        return node;
      }
    }
    return -1;
  }

  private boolean invite(View view, int node) {
    NodeHeader header = admission.header(view, node);
    if (header == null) {
      steps.table().setFiller(steps.self(), 0);
      return true;
    }
    NodeConnection back = reconnector.reached(node);
    View next = NodeAdmission.with(view, node, back);
    if (!expelStrangers(view, back)
        || !headers.forgetIntents(next, node)
        || !headers.format(next, node)) {
      reconnector.letGo(node);
      steps.table().setFiller(steps.self(), 0);
      return true;
    }
    long number = steps.numberBehindAll(view);
    invitation = new FillEpoch(number, view.number(), node, true, header.incarnation(), 0, 0, 0, 0);
    invitedSince = environment.nanoTime();
    steps.table().publish(invitation);
    steps.reply(invitation);
    return true;
  }

  /**
   * Expels tenants that no longer share the pool from the node, including requests that they have
   * in flight. Returns false if the node has failed again.
   */
  private boolean expelStrangers(View view, NodeConnection back) {
    try {
      List<PoolTenant> there = back.sharing().tenants();
      Set<Long> known =
          new HashSet<>(
              steps
                  .table()
                  .tenants()); // read after the tenants: a joining compute node connects before it
      // has an entry
      for (PoolTenant each : there) {
        if (!known.contains(each.id())) {
          back.sharing().expel(each.id());
        }
      }
      return true;
    } catch (FabricException e) {
      boolean isOther = e.node() >= 0 && view.connection(e.node()) != null;
      if (e.isRevoked() || isOther) {
        throw e;
      }
      LOG.debug("it is unreachable again: {}", e.getMessage());
      return false;
    }
  }

  private boolean awaitInvited(View view) {
    steps.removeDead(view);
    if (steps.haveAllReplied(invitation)) {
      FillEpoch invited = invitation;
      invitation = null;
      change.run(
          0,
          new ViewAgreement.Admission(view.number(), invited.node(), invited.incarnation(), false));
      View now = currentView.last();
      if (now != view && now.filling() == invited.node()) {
        fillingView = now.number();
        fillingSince = environment.nanoTime();
        slot = 0;
        isCovered = false;
        isJoined = false;
        currentView.missed(invited.node()).markAll();
        resync.begin(now, invited.node());
        LOG.info("memory node {} is reachable again and is being filled", invited.node());
      }
      return true;
    }
    if (environment.nanoTime() - invitedSince > INVITED_PERIODS * periodNanos) {
      invitation = null;
      delay();
      steps.table().setFiller(steps.self(), 0);
    }
    return false;
  }

  /** Another compute node may succeed first. */
  private void delay() {
    failuresInRow++;
    notBefore = environment.nanoTime() + (periodNanos << Math.min(failuresInRow, DELAY_SHIFT_MAX));
  }

  private void reply(View view, FillEpoch asked) {
    if (asked.view() == view.number()
        && asked.isInvitation()
        && !steps.isAnswered(asked)
        && reconnector.reached(asked.node()) != null) {
      NodeHeader header = admission.header(view, asked.node());
      if (header != null && header.incarnation() == asked.incarnation()) {
        steps.reply(asked);
      } else if (header != null) {
        reconnector.letGo(asked.node());
      }
    }
  }

  private boolean fill(View view) {
    int node = view.filling();
    ResyncProgress progress = view.resync(node);
    if (!isJoined && logCheckpoints.isDueWhileFilling()) {
      logCheckpoints.markWhileFilling(view, step(view, node, slot, progress.filled(slot), 0, 0));
    }
    if (!progress.isFinished()) {
      isHeldUp = false;
      resync.step(view, node);
      progress.measure(
          resync.copiedBytes() + resync.equalBytes(), environment.nanoTime() - fillingSince);
      return !isHeldUp;
    }
    if (log != null && !isJoined) {
      return joinLog(view, node);
    }
    if (!isAtEnd(view, node, isJoined ? FillEpoch.Appends.JOINED : FillEpoch.Appends.FREE)) {
      return false;
    }
    change.run(
        0, new ViewAgreement.Admission(view.number(), node, headers.incarnation(node), true));
    View now = currentView.last();
    if (now != view && now.isLive(node)) {
      failuresInRow = 0;
      currentView.health().countFilled(node);
      LOG.info(
          "memory node {} is filled and live again, view {}: {} bytes were copied, {} were"
              + " already present, in {} s",
          node,
          now.number(),
          resync.copiedBytes(),
          resync.equalBytes(),
          (environment.nanoTime() - fillingSince) / NANOS_A_SECOND);
    }
    return true;
  }

  /**
   * Returns true if all compute nodes have reached the epoch in which the memory of the node is
   * complete, with the given treatment of appends.
   */
  private boolean isAtEnd(View view, int node, FillEpoch.Appends appends) {
    FillEpoch whole = step(view, node, view.placement().slots(), 0, 0, 0);
    boolean isForAppends = appends != FillEpoch.Appends.FREE;
    return isForAppends
        ? steps.isAt(view, whole.next(appends), SharedCheckpoints.HELD_NANOS)
        : steps.isAt(view, whole, HOLD_NANOS);
  }

  /** Returns false if there is nothing to do at the moment. */
  private boolean joinLog(View view, int node) {
    if (!isCovered) {
      slot = view.placement().slots() - 1;
      isCovered = isAtEnd(view, node, FillEpoch.Appends.FREE);
      return isCovered;
    }
    if (!log.copy(view, node)) {
      return true;
    }
    if (!log.isInParts()
        && isAtEnd(view, node, FillEpoch.Appends.HELD)
        && !log.isInParts()
        && log.finishCopy(view, node)) {
      isJoined = true;
      return true;
    }
    if (!currentView.hasSuspects() && !currentView.isLost()) {
      steps.publish(view, step(view, node, view.placement().slots(), 0, 0, 0));
    }
    return false;
  }

  private FillEpoch step(View view, int node, int ofSlot, long filled, long from, long to) {
    return new FillEpoch(
        steps.nextNumber(view),
        view.number(),
        node,
        false,
        headers.incarnation(node),
        ofSlot,
        filled,
        from,
        to);
  }

  @Override
  public boolean tryHold(View view, int node, int ofSlot, int logical, long from, int length) {
    slot = ofSlot;
    long filled = view.resync(node).filled(slot);
    if (steps.isAt(view, step(view, node, slot, filled, from, from + length), HOLD_NANOS)) {
      return true;
    }
    if (!currentView.hasSuspects() && !currentView.isLost()) {
      steps.publish(view, step(view, node, slot, filled, 0, 0));
    }
    isHeldUp = true;
    return false;
  }

  /** Does nothing: the next epoch removes the write barrier. */
  @Override
  public void release() {}

  private boolean follow(View view) {
    FillEpoch step = steps.table().fillStep();
    boolean isOther =
        step.view() == view.number() && !step.isInvitation() && !steps.isAnswered(step);
    if (isOther && isRefused(step)) {
      steps.refuse(step);
      return false;
    }
    if (isOther && steps.goTo(view, step)) {
      steps.reply(step);
      looksWithoutStep = 0;
      return false;
    }
    looksWithoutStep++;
    if (looksWithoutStep > STILL_MAX) {
      looksWithoutStep = 0;
      if (!isFilledBySomebody(view)) {
        steps.abandon(view);
      }
    }
    return false;
  }

  private boolean isRefused(FillEpoch step) {
    return log != null && step.appends() == FillEpoch.Appends.HELD && log.isInParts();
  }

  /**
   * If the other compute node has failed, the one that is to fence it may itself be waiting for the
   * write barrier.
   */
  private boolean isFilledBySomebody(View view) {
    long filler = steps.table().filler();
    return filler != steps.self() && steps.isSharer(filler) && !sharers.isDead(view, filler);
  }
}
