package org.nelumbo.dm.replication.membership;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.resync.ReplicaResync;
import org.nelumbo.dm.replication.resync.WriterHold;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
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
 *   <li>When all is copied, and all know it, the next view has the node as live.
 * </ol>
 *
 * <p>Whatever goes wrong, the node is left out, and it begins anew: if it fails, or another one, or
 * if a compute node is fenced, whose flushes may be at the node and nowhere else. For the thread
 * that changes views.
 */
final class SharedFilling implements SharedViewChange.Returned, WriterHold {
  private static final Logger LOG = LoggerFactory.getLogger(SharedFilling.class);

  /** Between two looks at what others say. */
  private static final long LOOK_NANOS = 50_000L;

  /** Between two looks whether others have agreed on a view, or somebody has died. */
  private static final int LOOK_MASK = 0x1F;

  /** Who writes is held up no longer by somebody who does not answer. */
  private static final long HOLD_NANOS = 50_000_000L;

  /** After so many looks without another step it is looked whether anybody fills. */
  private static final int STILL_MAX = 200;

  /** Times between two tries to reach a node, for which those who are invited are waited for. */
  private static final int INVITED_PERIODS = 10;

  private static final int DELAY_SHIFT_MAX = 6;
  private static final int STEP_SHIFT = 24;
  private static final double NANOS_A_SECOND = 1e9;

  private static final String ABANDONED =
      "it has to be filled anew: a compute node is gone that may have written to it";

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final ViewGate gate;
  private final HeaderWriter headers;
  private final SharedViewChange.Sharers sharers;
  private final Reconnector reconnector;
  private final Admissible admissible;
  private final long periodNanos;
  private ReplicaResync resync;

  private IntentTable table;
  private View tableOf;

  /** What others are invited to by this compute node; null: nothing. */
  private FillStep invitation;

  private long invitedSince;
  private int failuresInRow;
  private long notBefore;

  /** Last step that this compute node has said it is at. */
  private long heard;

  private int looksWithoutStep;

  /** View in which this compute node fills; 0: in none. */
  private long fillingView;

  private long fillingSince;

  /** Somebody has not come to the last step: it is looked why. */
  private boolean isHeldUp;

  /** Of the last step that this compute node has published. */
  private long number;

  /** Whether a memory node may be filled. */
  interface Admissible {
    /** Looks at the header of a node; says what is wrong, and returns false. */
    boolean isAdmissible(int node, NodeHeader header, NodeConnection connection);
  }

  /** How the view is changed. */
  interface Change {
    void run(ViewAgreement.Admission admission);
  }

  private Change change;

  SharedFilling(
      Environment environment,
      CurrentView currentView,
      Sharing sharing,
      ViewGate gate,
      HeaderWriter headers,
      SharedViewChange.Sharers sharers,
      Reconnector reconnector,
      Admissible admissible,
      long periodNanos) {
    this.environment = environment;
    this.currentView = currentView;
    this.sharing = sharing;
    this.gate = gate;
    this.headers = headers;
    this.sharers = sharers;
    this.reconnector = reconnector;
    this.admissible = admissible;
    this.periodNanos = periodNanos;
  }

  /** Sets how copies are made, and views changed; before it is used. */
  void prepare(ReplicaResync replicaResync, Change howToChange) {
    resync = replicaResync;
    change = howToChange;
  }

  /** Does one step; returns false if there is nothing to do. */
  boolean step(View view) {
    try {
      if (tableOf != view) {
        close();
        table = new IntentTable(environment, view);
        tableOf = view;
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
    if (table != null) {
      table.close();
      table = null;
      tableOf = null;
    }
  }

  private long self() {
    return sharing.intents().tenant();
  }

  private boolean inviteOrAnswer(View view) {
    fillingView = 0;
    long filler = table.filler();
    if (invitation != null && invitation.view() == view.number() && filler == self()) {
      return awaitInvited(view);
    }
    invitation = null;
    if (filler == self()) {
      table.setFiller(filler, 0);
      return false;
    }
    if (filler != 0 && isSharer(filler)) {
      answer(view, table.fillStep());
      return false;
    }
    int node = reachedNode(view);
    boolean isTime = environment.nanoTime() - notBefore >= 0;
    if (node >= 0 && isTime && table.setFiller(filler, self())) {
      return invite(view, node);
    }
    return false;
  }

  private boolean isSharer(long tenant) {
    return table.tenants().contains(tenant);
  }

  private int reachedNode(View view) {
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.connection(node) == null && reconnector.reached(node) != null) {
        return node;
      }
    }
    return -1;
  }

  /** The header of a node that was reached; null if it is of no use any more, and let go. */
  private NodeHeader header(View view, int node) {
    NodeConnection back = reconnector.reached(node);
    NodeHeader header = headers.read(with(view, node, back), node);
    if (header == null || !admissible.isAdmissible(node, header, back)) {
      reconnector.letGo(node);
      return null;
    }
    return header;
  }

  private static View with(View view, int node, NodeConnection back) {
    return view.with(view.number(), node, back, new ResyncProgress(view.placement().slots()));
  }

  private boolean invite(View view, int node) {
    NodeHeader header = header(view, node);
    if (header == null) {
      table.setFiller(self(), 0);
      return true;
    }
    NodeConnection back = reconnector.reached(node);
    View next = with(view, node, back);
    expelStrangers(back);
    if (!headers.forgetIntents(next, node) || !headers.format(next, node)) {
      reconnector.letGo(node);
      table.setFiller(self(), 0);
      return true;
    }
    FillStep last = table.fillStep();
    number = Math.max(last.number(), view.number() << STEP_SHIFT) + 1;
    invitation = new FillStep(number, view.number(), node, true, header.incarnation(), 0, 0, 0, 0);
    invitedSince = environment.nanoTime();
    table.publish(invitation);
    table.noteHeard(sharing.intents(), invitation.number());
    return true;
  }

  /** Those who do not share the pool any more write nothing to the node, whatever is on its way. */
  private void expelStrangers(NodeConnection back) {
    List<PoolTenant> there = back.sharing().tenants();
    Set<Long> known = new HashSet<>(table.tenants());
    for (PoolTenant each : there) {
      if (!known.contains(each.id())) {
        back.sharing().expel(each.id());
      }
    }
  }

  private boolean awaitInvited(View view) {
    removeDead(view);
    if (haveAllHeard(invitation.number())) {
      FillStep invited = invitation;
      invitation = null;
      change.run(
          new ViewAgreement.Admission(view.number(), invited.node(), invited.incarnation(), false));
      View now = currentView.last();
      if (now != view && now.filling() == invited.node()) {
        fillingView = now.number();
        fillingSince = environment.nanoTime();
        number = now.number() << STEP_SHIFT;
        currentView.missed(invited.node()).markAll();
        resync.begin(now, invited.node());
        LOG.info("memory node {} is back and is being filled", invited.node());
      }
      return true;
    }
    if (environment.nanoTime() - invitedSince > INVITED_PERIODS * periodNanos) {
      invitation = null;
      delay();
      table.setFiller(self(), 0);
    }
    return false;
  }

  /** Who has died while it entered the pool is waited for by nobody else. */
  private void removeDead(View view) {
    for (long each : table.tenants()) {
      if (sharers.isDead(view, each)) {
        sharers.remove(view, each);
      }
    }
  }

  /** Others may be luckier, or this one later. */
  private void delay() {
    failuresInRow++;
    notBefore = environment.nanoTime() + (periodNanos << Math.min(failuresInRow, DELAY_SHIFT_MAX));
  }

  private boolean haveAllHeard(long step) {
    return table.sharers().stream().allMatch(each -> each.heard() == step);
  }

  private void answer(View view, FillStep asked) {
    if (asked.view() == view.number()
        && asked.isInvitation()
        && asked.number() != heard
        && reconnector.reached(asked.node()) != null) {
      NodeHeader header = header(view, asked.node());
      if (header != null && header.incarnation() == asked.incarnation()) {
        table.noteHeard(sharing.intents(), asked.number());
        heard = asked.number();
      } else if (header != null) {
        reconnector.letGo(asked.node());
      }
    }
  }

  @Override
  public NodeConnection connection(int node, long incarnation) {
    NodeConnection back = reconnector.reached(node);
    NodeHeader header = back == null ? null : header(currentView.last(), node);
    return header != null && header.incarnation() == incarnation ? back : null;
  }

  private boolean fill(View view) {
    int node = view.filling();
    ResyncProgress progress = view.resync(node);
    if (!progress.isFinished()) {
      isHeldUp = false;
      resync.step(view, node);
      progress.measure(
          resync.copiedBytes() + resync.equalBytes(), environment.nanoTime() - fillingSince);
      return !isHeldUp;
    }
    if (!isAtStep(view, step(view, node, view.placement().slots(), 0, 0, 0))) {
      return false;
    }
    change.run(new ViewAgreement.Admission(view.number(), node, headers.incarnation(node), true));
    View now = currentView.last();
    if (now != view && now.isLive(node)) {
      failuresInRow = 0;
      currentView.health().countFilled(node);
      LOG.info(
          "memory node {} is filled and live again, view {}: {} bytes were copied, {} were there, in {} s",
          node,
          now.number(),
          resync.copiedBytes(),
          resync.equalBytes(),
          (environment.nanoTime() - fillingSince) / NANOS_A_SECOND);
    }
    return true;
  }

  private FillStep step(View view, int node, int slot, long filled, long from, long to) {
    return new FillStep(
        ++number, view.number(), node, false, headers.incarnation(node), slot, filled, from, to);
  }

  @Override
  public boolean tryHold(View view, int node, int slot, int logical, long from, int length) {
    long filled = view.resync(node).filled(slot);
    if (isAtStep(view, step(view, node, slot, filled, from, from + length))) {
      return true;
    }
    if (!currentView.hasSuspects() && !currentView.isLost()) {
      FillStep free = step(view, node, slot, filled, 0, 0);
      table.publish(free);
      goTo(free);
    }
    isHeldUp = true;
    return false;
  }

  /** With the next step. */
  @Override
  public void release() {}

  /** Publishes a step; whether all are at it before it is given up. */
  private boolean isAtStep(View view, FillStep step) {
    table.publish(step);
    if (!goTo(step)) {
      return false;
    }
    table.noteHeard(sharing.intents(), step.number());
    long since = environment.nanoTime();
    for (int look = 0; !haveAllHeard(step.number()); look++) {
      if (currentView.hasSuspects()
          || currentView.isLost()
          || environment.nanoTime() - since > HOLD_NANOS) {
        return false;
      }
      if ((look & LOOK_MASK) == LOOK_MASK && isOver(view)) {
        return false;
      }
      environment.parkNanos(LOOK_NANOS);
    }
    return !currentView.hasSuspects();
  }

  /** Whether others have agreed on a view, or one of them is dead. */
  private boolean isOver(View view) {
    for (IntentTable.Sharer each : table.sharers()) {
      if (sharers.isDead(view, each.tenant())) {
        abandon(view);
        return true;
      }
    }
    return headers.knownView(view) > view.number();
  }

  private void abandon(View view) {
    int node = view.filling();
    currentView.suspect(node, view.connection(node), new FabricException(node, ABANDONED, null));
  }

  /** Has flushes go in at a step; false if some of an earlier one do not end. */
  private boolean goTo(FillStep step) {
    if (gate.step().number() == step.number()) {
      return awaitOneStep();
    }
    if (!awaitOneStep()) {
      return false;
    }
    gate.setStep(step);
    return awaitOneStep();
  }

  private boolean awaitOneStep() {
    for (int attempt = 0; !gate.isAtOneStep(); attempt++) {
      if (currentView.hasSuspects() || currentView.isLost()) {
        return false;
      }
      environment.backoff(attempt);
    }
    return true;
  }

  private boolean follow(View view) {
    FillStep step = table.fillStep();
    boolean isOther =
        step.view() == view.number() && !step.isInvitation() && step.number() != heard;
    if (isOther && goTo(step)) {
      table.noteHeard(sharing.intents(), step.number());
      heard = step.number();
      looksWithoutStep = 0;
      return false;
    }
    looksWithoutStep++;
    if (looksWithoutStep > STILL_MAX) {
      looksWithoutStep = 0;
      if (!isFilledBySomebody(view)) {
        abandon(view);
      }
    }
    return false;
  }

  /**
   * Whether another compute node fills. If it is dead, whoever is to fence it may be waiting to
   * write to the range that is held.
   */
  private boolean isFilledBySomebody(View view) {
    long filler = table.filler();
    return filler != self() && isSharer(filler) && !sharers.isDead(view, filler);
  }
}
