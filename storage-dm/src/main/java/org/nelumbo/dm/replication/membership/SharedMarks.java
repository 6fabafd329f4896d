package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.View;

/**
 * Log checkpoints of memory nodes to which several compute nodes append. One compute node that has
 * appended leads: it requests frequent polling, then blocks all appends for a moment, and writes
 * the checkpoint to all logs.
 *
 * <pre>
 *  leader:  filler, ATTENTION | all poll  | HELD | all hold   | checkpoint to all logs | MARKED
 *  others:                    ^ acknowledge      ^ acknowledge when no append is in progress
 * </pre>
 *
 * <p>If the leader fails or hangs while the others hold back their appends, it is fenced before
 * they continue. Otherwise a late request of the leader could reach one log before an append, and
 * another log after it. Confined to the view-change thread.
 */
final class SharedMarks {
  /** Time limit for all compute nodes to begin polling frequently. Idle ones poll every 50 ms. */
  private static final long ATTENTION_NANOS = 250_000_000L;

  /**
   * Time limit for appends to end, which depends on the speed of disks. Then the checkpoint is
   * retried.
   */
  static final long HELD_NANOS = 500_000_000L;

  /** Number of polls without a new epoch after which to check whether the leader has failed. */
  private static final int STILL_MAX = 200;

  /** Reconnect periods between two checkpoints while a memory node is being filled. */
  private static final int FILLING_PERIODS = 10;

  private final Environment environment;
  private final SharedSteps steps;
  private final SharedViewChange.Sharers sharers;

  /** Null if memory nodes keep no logs. */
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

  /**
   * Returns true if another compute node is about to write a checkpoint, so that this thread should
   * poll frequently.
   */
  boolean isFollowing() {
    return isFollowing;
  }

  /**
   * Resumes appends that are held back, because no compute node is writing a checkpoint in a view.
   */
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

  /** Ends a checkpoint that this compute node had begun and not completed. */
  void endOwn(View view) {
    FillStep last = steps.table().fillStep();
    if (last.appendsIn(view.number()) == FillStep.Appends.HELD) {
      steps.publish(view, last.next(FillStep.Appends.FREE));
    }
    end(view);
  }

  /** Follows a compute node that has published an epoch of a checkpoint. */
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

  /** Returns true if a checkpoint is due: something was appended since the last one. */
  boolean isDue() {
    return log != null && log.isUnmarked() && environment.nanoTime() - lastNanos >= periodNanos;
  }

  /**
   * Writes a checkpoint, unless another compute node is filling a node or writing one, or some
   * compute node cannot take part now.
   *
   * @param before previous filler, which has ended
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

  /** Returns an epoch in which all compute nodes poll frequently and may append. */
  private static FillStep attention(View view, long number) {
    return new FillStep(number, view.number(), FillStep.NO_NODE, true, 0, 0, 0, 0, 0);
  }

  private boolean isMarked(View view, FillStep held) {
    return steps.isAt(view, held, HELD_NANOS) && !log.isInParts() && log.markTogether(view);
  }

  /** Returns true if a checkpoint is due while this compute node fills a memory node. */
  boolean isDueWhileFilling() {
    return log != null && environment.nanoTime() - lastNanos >= FILLING_PERIODS * periodNanos;
  }

  /**
   * Writes a checkpoint between two epochs of filling a node.
   *
   * @param step next fill epoch
   */
  void markWhileFilling(View view, FillStep step) {
    lastNanos = environment.nanoTime();
    FillStep held = step.next(FillStep.Appends.HELD);
    boolean isMarked = isMarked(view, held);
    steps.publish(view, held.next(isMarked ? FillStep.Appends.MARKED : FillStep.Appends.FREE));
  }
}
