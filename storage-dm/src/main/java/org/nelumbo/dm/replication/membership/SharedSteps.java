package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.View;

/**
 * Steps that all compute nodes take together which share a pool ({@link FillStep}). One of them at
 * a time publishes steps: the <i>filler</i>. The others follow, and say which step they are at when
 * no flush, or no append, of theirs is at an earlier one. Who cannot come to a step just now says
 * that: with the complement of its number. For the thread that changes views.
 */
final class SharedSteps {
  /** Between two looks at what others say. */
  private static final long LOOK_NANOS = 50_000L;

  /** Between two looks whether others have agreed on a view, or somebody has died. */
  private static final int LOOK_MASK = 0x1F;

  private static final int STEP_SHIFT = 24;

  private static final String ABANDONED =
      "it has to be filled anew: a compute node is gone that may have written to it";

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final ViewGate gate;
  private final ViewGate appendGate;

  /** Null: memory nodes keep none. */
  private final ReplicatedLog log;

  private final HeaderWriter headers;
  private final SharedViewChange.Sharers sharers;

  private IntentTable table;
  private View tableOf;

  /** Last step that this compute node has answered. */
  private long answered;

  /** Of the last step that this compute node has published. */
  private long number;

  SharedSteps(
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

  /** Goes on in a view; returns whether that is another one than before. */
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

  /** Of the view in which it goes on. */
  IntentTable table() {
    return table;
  }

  long self() {
    return sharing.intents().tenant();
  }

  boolean isSharer(long tenant) {
    return table.tenants().contains(tenant);
  }

  /** Number of the next step to publish. */
  long nextNumber(View view) {
    number = Math.max(number, view.number() << STEP_SHIFT) + 1;
    return number;
  }

  /** Number of a step behind all that others have published in a view. */
  long numberBehindAll(View view) {
    number = Math.max(number, Math.max(table.fillStep().number(), answered));
    return nextNumber(view);
  }

  /** Whether a step was answered already. */
  boolean isAnswered(FillStep step) {
    return step.number() == answered;
  }

  /** Tells who publishes that this compute node is at a step. */
  void answer(FillStep step) {
    table.noteHeard(sharing.intents(), step.number());
    answered = step.number();
  }

  /** Tells who publishes that this compute node does not come to a step. */
  void refuse(FillStep step) {
    table.noteHeard(sharing.intents(), ~step.number());
    answered = step.number();
  }

  boolean haveAllAnswered(FillStep step) {
    return table.sharers().stream().allMatch(each -> each.heard() == step.number());
  }

  private boolean hasAnyRefused(FillStep step) {
    return table.sharers().stream().anyMatch(each -> each.heard() == ~step.number());
  }

  /** Publishes a step, and goes to it. */
  void publish(View view, FillStep step) {
    number = step.number();
    table.publish(step);
    goTo(view, step);
  }

  /** Publishes a step; whether all are at it before it is given up. */
  boolean isAt(View view, FillStep step, long patienceNanos) {
    number = step.number();
    table.publish(step);
    if (!goTo(view, step)) {
      return false;
    }
    answer(step);
    long since = environment.nanoTime();
    for (int look = 0; !haveAllAnswered(step); look++) {
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

  /** Whether others have agreed on a view, or one of them is dead. */
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

  /** Who has died while it entered the pool is removed by nobody else. */
  void removeDead(View view) {
    for (long each : table.tenants()) {
      if (sharers.isDead(view, each)) {
        sharers.remove(view, each);
      }
    }
  }

  /** Has the node left out that is being filled. */
  void abandon(View view) {
    int node = view.filling();
    currentView.suspect(node, view.connection(node), new FabricException(node, ABANDONED, null));
  }

  /**
   * Has flushes and appends go in at a step; false if some of an earlier one do not end.
   *
   * @param view in force
   */
  boolean goTo(View view, FillStep step) {
    boolean isForFlushes = step.node() != FillStep.NO_NODE;
    return (!isForFlushes || gate.step().number() == step.number() || goTo(gate, step))
        && (!isForFlushes || awaitOneStep(gate))
        && (log == null || goToWithAppends(view, step));
  }

  private boolean goToWithAppends(View view, FillStep step) {
    FillStep.Appends before = appendGate.step().appendsIn(view.number());
    FillStep.Appends after = step.appends();
    if (before == FillStep.Appends.HELD
        && (after == FillStep.Appends.MARKED || after == FillStep.Appends.JOINED)) {
      log.noteMarked();
    }
    return (isSame(before, after) || goTo(appendGate, step)) && awaitOneStep(appendGate);
  }

  private static boolean isSame(FillStep.Appends before, FillStep.Appends after) {
    return before == after || (isFree(before) && isFree(after));
  }

  private static boolean isFree(FillStep.Appends appends) {
    return appends == FillStep.Appends.FREE || appends == FillStep.Appends.MARKED;
  }

  private boolean goTo(ViewGate which, FillStep step) {
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

  /** Whether nobody here appends, as it was to be. */
  boolean isHeld(View view) {
    return log != null && appendGate.step().appendsIn(view.number()) == FillStep.Appends.HELD;
  }
}
