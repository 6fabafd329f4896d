package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.View;

/**
 * Marks in the logs of memory nodes while several compute nodes append to them. One of those that
 * have appended something asks the others to look more often; then nobody appends for a moment, and
 * it puts the mark into all logs.
 *
 * <pre>
 *   who marks:   filler, ATTENTION | all look | HELD | all hold | MARK to all logs | MARKED
 *   the others:                    ^ "I look"        ^ no append is under way      ^ go on
 * </pre>
 *
 * <p>Who marks may die, or hang, while the others hold back: then it is fenced before they go on.
 * Else what it sends later might come to one log before something is appended, and to another one
 * after it. For the thread that changes views.
 */
final class SharedMarks {
  /** Those who have nothing else to do look once in 50 ms. */
  private static final long ATTENTION_NANOS = 250_000_000L;

  /** Appends end, however slow the disks are, or it is tried again. */
  static final long HELD_NANOS = 500_000_000L;

  /** After so many looks without another step it is looked whether who marks is dead. */
  private static final int STILL_MAX = 200;

  /** Times between two marks, as long as a memory node is being filled. */
  private static final int FILLING_PERIODS = 10;

  private final Environment environment;
  private final SharedSteps steps;
  private final SharedViewChange.Sharers sharers;

  /** Null: memory nodes keep no logs. */
  private final ReplicatedLog log;

  private final long periodNanos;
  private long lastNanos;
  private int looksWithoutStep;
  private boolean isFollowing;

  SharedMarks(
      Environment environment,
      SharedSteps steps,
      SharedViewChange.Sharers sharers,
      ReplicatedLog log,
      long periodNanos) {
    this.environment = environment;
    this.steps = steps;
    this.sharers = sharers;
    this.log = log;
    this.periodNanos = periodNanos;
  }

  /** Whether somebody is about to put a mark: then it is to be looked often. */
  boolean isFollowing() {
    return isFollowing;
  }

  /** Nobody marks in a view, or nobody any more: who holds back appends goes on. */
  void end(View view) {
    isFollowing = false;
    if (steps.isHeld(view)) {
      FillStep last = steps.table().fillStep();
      boolean isMarked =
          last.node() == FillStep.NO_NODE
              && last.appendsIn(view.number()) == FillStep.Appends.MARKED;
      steps.goTo(view, isMarked ? last : attention(view, last.number()));
    }
  }

  /** This compute node has not come to the end of a mark that it was putting. */
  void endOwn(View view) {
    FillStep last = steps.table().fillStep();
    if (last.appendsIn(view.number()) == FillStep.Appends.HELD) {
      steps.publish(view, last.next(FillStep.Appends.FREE));
    }
    end(view);
  }

  /** Follows somebody who has published a step of a mark. */
  void follow(View view, long marker, FillStep step) {
    isFollowing = true;
    if (step.view() == view.number() && !steps.isAnswered(step)) {
      looksWithoutStep = 0;
      boolean isHeld = step.appends() == FillStep.Appends.HELD;
      if (isHeld && log.isInParts()) {
        steps.refuse(step);
      } else if (steps.goTo(view, step)) {
        steps.answer(step);
      }
      return;
    }
    looksWithoutStep++;
    if (looksWithoutStep > STILL_MAX) {
      looksWithoutStep = 0;
      if (sharers.isDead(view, marker)) {
        sharers.remove(view, marker);
        steps.table().setFiller(marker, 0);
      }
    }
  }

  /** Whether it is time for a mark: something was appended since the last one. */
  boolean isDue() {
    return log != null && log.isUnmarked() && environment.nanoTime() - lastNanos >= periodNanos;
  }

  /**
   * Puts a mark, unless others do so, or fill a node, or cannot come along now.
   *
   * @param before who was the filler last, and is so no longer
   */
  void mark(View view, long before) {
    lastNanos = environment.nanoTime();
    if (log.isInParts() || !steps.table().setFiller(before, steps.self())) {
      return;
    }
    FillStep attention = attention(view, steps.numberBehindAll(view));
    FillStep last = attention;
    boolean isMarked = false;
    if (steps.isAt(view, attention, ATTENTION_NANOS)) {
      last = attention.next(FillStep.Appends.HELD);
      isMarked = isMarked(view, last);
    }
    steps.publish(view, last.next(isMarked ? FillStep.Appends.MARKED : FillStep.Appends.FREE));
    steps.table().setFiller(steps.self(), 0);
    if (!isMarked) {
      steps.removeDead(view);
    }
  }

  /** A step at which all look often, and append. */
  private static FillStep attention(View view, long number) {
    return new FillStep(number, view.number(), FillStep.NO_NODE, true, 0, 0, 0, 0, 0);
  }

  private boolean isMarked(View view, FillStep held) {
    return steps.isAt(view, held, HELD_NANOS) && !log.isInParts() && log.markTogether(view);
  }

  /** Whether it is time for a mark while this compute node fills a memory node. */
  boolean isDueWhileFilling() {
    return log != null && environment.nanoTime() - lastNanos >= FILLING_PERIODS * periodNanos;
  }

  /**
   * Puts a mark between two steps of filling a node.
   *
   * @param step that comes next
   */
  void markWhileFilling(View view, FillStep step) {
    lastNanos = environment.nanoTime();
    FillStep held = step.next(FillStep.Appends.HELD);
    boolean isMarked = isMarked(view, held);
    steps.publish(view, held.next(isMarked ? FillStep.Appends.MARKED : FillStep.Appends.FREE));
  }
}
