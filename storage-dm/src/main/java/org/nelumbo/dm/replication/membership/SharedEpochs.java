package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.View;

/**
 * The epochs ({@link FillEpoch}) through which all compute nodes that share a pool move together.
 * One compute node at a time, the <i>filler</i>, publishes epochs. The others follow. Each
 * acknowledges an epoch when none of its flushes, or appends, is at an earlier one. A compute node
 * that cannot move to an epoch at present refuses it, by acknowledging the complement of its
 * number. Confined to the view-change thread.
 */
final class SharedEpochs {
  private static final long LOOK_NANOS = 50_000L;

  /** Number of polls between two checks for a later view or a failed compute node (mask). */
  private static final int LOOK_MASK = 0x1F;

  private static final int STEP_SHIFT = 24;

  private static final String ABANDONED =
      "it has to be filled again: a compute node that may have written to it has failed or left";

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final ViewGate gate;
  private final ViewGate appendGate;

  /** Null if memory nodes keep no logs. */
  private final ReplicatedLog log;

  private final HeaderWriter headers;
  private final SharedViewChange.Sharers sharers;

  private IntentTable table;
  private View tableOf;

  /** Number of the last epoch that this compute node has acknowledged or refused. */
  private long answered;

  /** Number of the last epoch that this compute node has published. */
  private long number;

  SharedEpochs(
      Environment environment,
      Membership membership,
      ReplicatedLog log,
      SharedViewChange.Sharers sharers) {
    this.environment = environment;
    this.currentView = membership.currentView();
    this.sharing = membership.sharing();
    this.gate = sharing.flushGate();
    this.appendGate = sharing.appendGate();
    this.headers = membership.headers();
    this.log = log;
    this.sharers = sharers;
  }

  /** Continues in a view; returns true if it differs from the previous one. */
  boolean begin(View view) {
    if (tableOf == view) {
      return false;
    }
    close();
    table = new IntentTable(environment, view);
    tableOf = view;
    return true;
  }

  void close() {
    if (table != null) {
      table.close();
      table = null;
      tableOf = null;
    }
  }

  /** Returns the intent table of the present view. */
  IntentTable table() {
    return table;
  }

  long self() {
    return sharing.intents().tenant();
  }

  boolean isSharer(long tenant) {
    return table.tenants().contains(tenant);
  }

  /** Returns the number of the next epoch to publish. */
  long nextNumber(View view) {
    number = Math.max(number, view.number() << STEP_SHIFT) + 1;
    return number;
  }

  /** Returns the number for an epoch that follows all published epochs of a view. */
  long numberBehindAll(View view) {
    number = Math.max(number, Math.max(table.fillStep().number(), answered));
    return nextNumber(view);
  }

  /** Returns true if an epoch was acknowledged or refused already. */
  boolean isAnswered(FillEpoch step) {
    return step.number() == answered;
  }

  /** Acknowledges that this compute node is at an epoch. */
  void reply(FillEpoch step) {
    table.noteHeard(sharing.intents(), step.number());
    answered = step.number();
  }

  /** Refuses an epoch for this compute node. */
  void refuse(FillEpoch step) {
    table.noteHeard(sharing.intents(), ~step.number());
    answered = step.number();
  }

  boolean haveAllReplied(FillEpoch step) {
    return table.sharers().stream().allMatch(each -> each.heard() == step.number());
  }

  private boolean hasAnyRefused(FillEpoch step) {
    return table.sharers().stream().anyMatch(each -> each.heard() == ~step.number());
  }

  /** Publishes an epoch and moves to it. */
  void publish(View view, FillEpoch step) {
    number = step.number();
    table.publish(step);
    goTo(view, step);
  }

  /** Publishes an epoch; returns true if all compute nodes reach it in time. */
  boolean isAt(View view, FillEpoch step, long patienceNanos) {
    number = step.number();
    table.publish(step);
    if (!goTo(view, step)) {
      return false;
    }
    reply(step);
    long since = environment.nanoTime();
    for (int look = 0; !haveAllReplied(step); look++) {
      if (currentView.hasSuspects()
          || currentView.isLost()
          || hasAnyRefused(step)
          || environment.nanoTime() - since > patienceNanos) {
        return false;
      }
      if ((look & LOOK_MASK) == LOOK_MASK && isOver(view)) {
        return false;
      }
      environment.parkNanos(LOOK_NANOS);
    }
    return !currentView.hasSuspects();
  }

  private boolean isOver(View view) {
    for (IntentTable.Sharer each : table.sharers()) {
      if (sharers.isDead(view, each.tenant())) {
        if (view.filling() >= 0) {
          abandon(view);
        }
        return true;
      }
    }
    return headers.knownView(view) > view.number();
  }

  /**
   * Removes compute nodes that have failed, including those that failed while they entered the
   * pool.
   */
  void removeDead(View view) {
    for (long each : table.tenants()) {
      if (sharers.isDead(view, each)) {
        sharers.remove(view, each);
      }
    }
  }

  /** Reports the node that is being filled as suspect, so that it is excluded. */
  void abandon(View view) {
    int node = view.filling();
    currentView.suspect(node, view.connection(node), new FabricException(node, ABANDONED, null));
  }

  /**
   * Moves flushes and appends to an epoch; returns false if some of an earlier epoch do not end.
   *
   * @param view view in force
   */
  boolean goTo(View view, FillEpoch step) {
    boolean isForFlushes = step.node() != FillEpoch.NO_NODE;
    return (!isForFlushes || gate.step().number() == step.number() || goTo(gate, step))
        && (!isForFlushes || awaitOneStep(gate))
        && (log == null || goToWithAppends(view, step));
  }

  private boolean goToWithAppends(View view, FillEpoch step) {
    FillEpoch.Appends before = appendGate.step().appendsIn(view.number());
    FillEpoch.Appends after = step.appends();
    if (before == FillEpoch.Appends.HELD
        && (after == FillEpoch.Appends.MARKED || after == FillEpoch.Appends.JOINED)) {
      log.noteMarked();
    }
    return (isSame(before, after) || goTo(appendGate, step)) && awaitOneStep(appendGate);
  }

  private static boolean isSame(FillEpoch.Appends before, FillEpoch.Appends after) {
    return before == after || (isFree(before) && isFree(after));
  }

  private static boolean isFree(FillEpoch.Appends appends) {
    return appends == FillEpoch.Appends.FREE || appends == FillEpoch.Appends.MARKED;
  }

  private boolean goTo(ViewGate which, FillEpoch step) {
    if (!awaitOneStep(which)) {
      return false;
    }
    which.setStep(step);
    return true;
  }

  private boolean awaitOneStep(ViewGate which) {
    for (int attempt = 0; !which.isAtOneStep(); attempt++) {
      if (currentView.hasSuspects() || currentView.isLost()) {
        return false;
      }
      environment.backoff(attempt);
    }
    return true;
  }

  /** Returns true if appends of this compute node are held back. */
  boolean isHeld(View view) {
    return log != null && appendGate.step().appendsIn(view.number()) == FillEpoch.Appends.HELD;
  }
}
