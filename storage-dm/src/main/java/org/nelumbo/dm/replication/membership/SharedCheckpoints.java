package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.replication.log.ReplicatedLog;
import org.nelumbo.dm.replication.view.FillEpoch;
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
final class SharedCheckpoints {
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
  private final SharedEpochs steps;
  private final SharedViewChange.Sharers sharers;

  /** Null if memory nodes keep no logs. */
  private final ReplicatedLog log;

  private final long periodNanos;
  private long lastNanos;
  private int looksWithoutStep;
  private boolean isFollowing;

  SharedCheckpoints(
      Environment environment,
      SharedEpochs steps,
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
      FillEpoch last = steps.table().fillStep();
      boolean isMarked =
          last.node() == FillEpoch.NO_NODE
              && last.appendsIn(view.number()) == FillEpoch.Appends.MARKED;
      steps.goTo(view, isMarked ? last : attention(view, last.number()));
    }
  }

  /** Ends a checkpoint that this compute node had begun and not completed. */
  void endOwn(View view) {
    FillEpoch last = steps.table().fillStep();
    if (last.appendsIn(view.number()) == FillEpoch.Appends.HELD) {
      steps.publish(view, last.next(FillEpoch.Appends.FREE));
    }
    end(view);
  }

  /** Follows a compute node that has published an epoch of a checkpoint. */
  void follow(View view, long marker, FillEpoch step) {
    isFollowing = true;
    if (step.view() == view.number() && !steps.isAnswered(step)) {
      looksWithoutStep = 0;
      boolean isHeld = step.appends() == FillEpoch.Appends.HELD;
      if (isHeld && log.isInParts()) {
        steps.refuse(step);
      } else if (steps.goTo(view, step)) {
        steps.reply(step);
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
    FillEpoch attention = attention(view, steps.numberBehindAll(view));
    FillEpoch last = attention;
    boolean isMarked = false;
    if (steps.isAt(view, attention, ATTENTION_NANOS)) {
      last = attention.next(FillEpoch.Appends.HELD);
      isMarked = isMarked(view, last);
    }
    steps.publish(view, last.next(isMarked ? FillEpoch.Appends.MARKED : FillEpoch.Appends.FREE));
    steps.table().setFiller(steps.self(), 0);
    if (!isMarked) {
      steps.removeDead(view);
    }
  }

  /** Returns an epoch in which all compute nodes poll frequently and may append. */
  private static FillEpoch attention(View view, long number) {
    return new FillEpoch(number, view.number(), FillEpoch.NO_NODE, true, 0, 0, 0, 0, 0);
  }

  private boolean isMarked(View view, FillEpoch held) {
    return steps.isAt(view, held, HELD_NANOS) && !log.isInParts() && log.checkpointTogether(view);
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
  void markWhileFilling(View view, FillEpoch step) {
    lastNanos = environment.nanoTime();
    FillEpoch held = step.next(FillEpoch.Appends.HELD);
    boolean isMarked = isMarked(view, held);
    steps.publish(view, held.next(isMarked ? FillEpoch.Appends.MARKED : FillEpoch.Appends.FREE));
  }
}
