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
import org.nelumbo.dm.replication.resync.WriterHold;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Filling of a memory node that is back while several compute nodes share the pool. One of them
 * fills it, step by step; the others follow.
 *
 * <ol>
 *   <li>Who has reached the node first, and nobody else fills one, invites the others to connect to
 *       it. When all have, the next view has it as a node that is being filled.
 *   <li>Who fills publishes a step: nobody is to write to a range. When all are at that step, and
 *       no flush is at an earlier one, the range is copied. With the next step the node gets what
 *       is written there, as a backup does.
 *   <li>If memory nodes keep logs, the node is given what its log misses, while all append. With
 *       one step nobody does, and the rest is copied. With the next one the node gets what is
 *       appended, too.
 *   <li>When all is copied, and all know it, the next view has the node as live.
 * </ol>
 *
 * <p>Whatever goes wrong, the node is left out, and it begins anew: if it fails, or another one, or
 * if a compute node is fenced, whose flushes may be at the node and nowhere else. For the thread
 * that changes views.
 */
final class SharedFilling implements WriterHold {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFilling.class);

  /** Who writes is held up no longer by somebody who does not answer. */
  private static final long HOLD_NANOS = 50_000_000L;

  /** After so many looks without another step it is looked whether anybody fills. */
  private static final int STILL_MAX = 200;

  /** Times between two tries to reach a node, for which those who are invited are waited for. */
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

  /** Null: memory nodes keep none. */
  private final ReplicatedLog log;

  private final SharedSteps steps;
  private final SharedMarks marks;
  private final long periodNanos;
  private ReplicaResync resync;

  /** What others are invited to by this compute node; null: nothing. */
  private FillStep invitation;

  private long invitedSince;
  private int failuresInRow;
  private long notBefore;

  private int looksWithoutStep;

  /** View in which this compute node fills; 0: in none. */
  private long fillingView;

  private long fillingSince;

  /** Somebody has not come to the last step: it is looked why. */
  private boolean isHeldUp;

  /** That was filled last, while this compute node fills. */
  private int slot;

  /** The memory of the node is whole, and all know it. */
  private boolean isCovered;

  /** The node has the log, and gets what is appended. */
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
    this.steps = new SharedSteps(environment, membership, log, sharers);
    this.marks = new SharedMarks(environment, steps, sharers, log, periodNanos);
  }

  /** Sets what makes the copies, while {@linkplain WriterHold this} holds back writers. */
  void setResync(ReplicaResync replicaResync) {
    resync = replicaResync;
  }

  /** Does one step; returns false if there is nothing to do. */
  boolean step(View view) {
    try {
      if (steps.begin(view) && log != null) {
        log.endJoin(); // of a node that has been left out meanwhile
      }
      if (view.filling() < 0) {
        return inviteOrAnswer(view);
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

  /** Whether somebody is about to put a mark into the logs: then it is to be looked often. */
  boolean isFollowing() {
    return marks.isFollowing();
  }

  private boolean inviteOrAnswer(View view) {
    fillingView = 0;
    long filler = steps.table().filler();
    if (invitation != null && invitation.view() == view.number() && filler == steps.self()) {
      return awaitInvited(view);
    }
    invitation = null;
    if (filler == steps.self()) {
      marks.endOwn(view);
      steps.table().setFiller(filler, 0);
      return false;
    }
    if (filler != 0 && steps.isSharer(filler)) {
      follow(view, filler, steps.table().fillStep());
      return false;
    }
    marks.end(view);
    int node = reachedNode(view);
    boolean isTime = environment.nanoTime() - notBefore >= 0;
    if (node >= 0 && isTime && steps.table().setFiller(filler, steps.self())) {
      return invite(view, node);
    }
    if (marks.isDue()) {
      marks.mark(view, filler);
    }
    return false;
  }

  /** Follows somebody who is going to fill a node, or puts a mark into the logs. */
  private void follow(View view, long filler, FillStep step) {
    if (step.node() == FillStep.NO_NODE) {
      marks.follow(view, filler, step);
    } else {
      marks.end(view);
      answer(view, step);
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
    invitation = new FillStep(number, view.number(), node, true, header.incarnation(), 0, 0, 0, 0);
    invitedSince = environment.nanoTime();
    steps.table().publish(invitation);
    steps.answer(invitation);
    return true;
  }

  /**
   * Those who do not share the pool any more write nothing to the node, whatever is on its way.
   * Returns false if the node has failed again.
   */
  private boolean expelStrangers(View view, NodeConnection back) {
    try {
      List<PoolTenant> there = back.sharing().tenants();
      Set<Long> known = new HashSet<>(steps.table().tenants()); // who comes has its entry later
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
      LOG.debug("it is away again: {}", e.getMessage());
      return false;
    }
  }

  private boolean awaitInvited(View view) {
    steps.removeDead(view);
    if (steps.haveAllAnswered(invitation)) {
      FillStep invited = invitation;
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
        LOG.info("memory node {} is back and is being filled", invited.node());
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

  /** Others may be luckier, or this one later. */
  private void delay() {
    failuresInRow++;
    notBefore = environment.nanoTime() + (periodNanos << Math.min(failuresInRow, DELAY_SHIFT_MAX));
  }

  private void answer(View view, FillStep asked) {
    if (asked.view() == view.number()
        && asked.isInvitation()
        && !steps.isAnswered(asked)
        && reconnector.reached(asked.node()) != null) {
      NodeHeader header = admission.header(view, asked.node());
      if (header != null && header.incarnation() == asked.incarnation()) {
        steps.answer(asked);
      } else if (header != null) {
        reconnector.letGo(asked.node());
      }
    }
  }

  private boolean fill(View view) {
    int node = view.filling();
    ResyncProgress progress = view.resync(node);
    if (!isJoined && marks.isDueWhileFilling()) {
      marks.markWhileFilling(view, step(view, node, slot, progress.filled(slot), 0, 0));
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
    if (!isAtEnd(view, node, isJoined ? FillStep.Appends.JOINED : FillStep.Appends.FREE)) {
      return false;
    }
    change.run(
        0, new ViewAgreement.Admission(view.number(), node, headers.incarnation(node), true));
    View now = currentView.last();
    if (now != view && now.isLive(node)) {
      failuresInRow = 0;
      currentView.health().countFilled(node);
      LOG.info(
          "memory node {} is filled and live again, view {}: {} bytes were copied, {} were there,"
              + " in {} s",
          node,
          now.number(),
          resync.copiedBytes(),
          resync.equalBytes(),
          (environment.nanoTime() - fillingSince) / NANOS_A_SECOND);
    }
    return true;
  }

  /** Whether all know that the memory of the node is whole, and what becomes of appends. */
  private boolean isAtEnd(View view, int node, FillStep.Appends appends) {
    FillStep whole = step(view, node, view.placement().slots(), 0, 0, 0);
    boolean isForAppends = appends != FillStep.Appends.FREE;
    return isForAppends
        ? steps.isAt(view, whole.next(appends), SharedMarks.HELD_NANOS)
        : steps.isAt(view, whole, HOLD_NANOS);
  }

  /** Goes on giving the node the log; returns false if there is nothing to do for a moment. */
  private boolean joinLog(View view, int node) {
    if (!isCovered) {
      slot = view.placement().slots() - 1;
      isCovered = isAtEnd(view, node, FillStep.Appends.FREE);
      return isCovered;
    }
    if (!log.copy(view, node)) {
      return true;
    }
    if (!log.isInParts()
        && isAtEnd(view, node, FillStep.Appends.HELD)
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

  private FillStep step(View view, int node, int ofSlot, long filled, long from, long to) {
    return new FillStep(
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

  /** With the next step. */
  @Override
  public void release() {}

  private boolean follow(View view) {
    FillStep step = steps.table().fillStep();
    boolean isOther =
        step.view() == view.number() && !step.isInvitation() && !steps.isAnswered(step);
    if (isOther && isRefused(step)) {
      steps.refuse(step);
      return false;
    }
    if (isOther && steps.goTo(view, step)) {
      steps.answer(step);
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

  private boolean isRefused(FillStep step) {
    return log != null && step.appends() == FillStep.Appends.HELD && log.isInParts();
  }

  /**
   * Whether another compute node fills. If it is dead, whoever is to fence it may be waiting to
   * write to the range that is held.
   */
  private boolean isFilledBySomebody(View view) {
    long filler = steps.table().filler();
    return filler != steps.self() && steps.isSharer(filler) && !sharers.isDead(view, filler);
  }
}
