package org.nelumbo.dm.replication.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillStep;
import org.nelumbo.dm.replication.view.View;

/**
 * Gate through which flushes go while several compute nodes share a pool, so that its view can be
 * changed:
 *
 * <pre>
 *   open     --close-->   closed: who is inside ends, or waits for the next view
 *   closed   --repeat-->  those that wait do again in the next view what they could not end
 *   repeat   --open-->    all go through, in the view in force
 * </pre>
 *
 * A change may fail, and another one begin: then it is closed again. One thread changes it.
 * Thread-safe.
 *
 * <p>Flushes go in at some {@link FillStep}, and stay at it. They are counted apart from those of
 * the step before, until none of these is left.
 */
public final class ViewGate {
  private final Environment environment;
  private final CurrentView currentView;
  private final AtomicInteger[] inside = {new AtomicInteger(), new AtomicInteger()};
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isClosed;

  /** Who is inside waits for nobody else who is, but for the next view. */
  private volatile boolean isUrgent;

  private volatile Pass pass = new Pass(FillStep.NONE, 0);

  /** In which those that wait go on; null: they wait. */
  private volatile View repeated;

  /** What a flush goes in with; another one for each step. */
  public static final class Pass {
    private final FillStep step;

    /** Which of the two counts its flushes are in. */
    private final int count;

    private Pass(FillStep step, int count) {
      this.step = step;
      this.count = count;
    }

    /** The step at which it goes in. */
    public FillStep step() {
      return step;
    }
  }

  ViewGate(Environment environment, CurrentView currentView) {
    this.environment = environment;
    this.currentView = currentView;
  }

  /**
   * Goes in; waits while the view is being changed.
   *
   * @return to be given back by {@link #leave}
   * @throws FabricException if the pool is lost
   */
  public Pass enter() {
    for (int attempt = 0; ; attempt++) {
      Pass now = pass;
      if (!isClosed) {
        inside[now.count].getAndIncrement();
        if (!isClosed && pass == now) {
          return now;
        }
        inside[now.count].getAndDecrement();
      }
      currentView.current();
      environment.backoff(attempt);
    }
  }

  /** Goes out. */
  public void leave(Pass with) {
    inside[with.count].getAndDecrement();
  }

  /** The step at which flushes go in. */
  public FillStep step() {
    return pass.step;
  }

  /** Whether none is inside that went in at an earlier step. */
  public boolean isAtOneStep() {
    return inside[1 - pass.count].get() == 0;
  }

  /** Has flushes go in at another step; all are at one. */
  public void setStep(FillStep step) {
    pass = new Pass(step, 1 - pass.count);
  }

  /** Whether who goes on in a view is waited for: by those who change it. */
  public boolean isClosedFor(View view) {
    return isUrgent && repeated != view;
  }

  /**
   * Waits for the next view, if a memory node has failed in the one that was used.
   *
   * @param report tells of the failure; it is called now and then
   * @return the view to go on in: it may not be in force yet
   * @throws FabricException if the pool is lost
   */
  public View awaitNext(View used, Runnable report) {
    waiting.getAndIncrement();
    try {
      for (int attempt = 0; ; attempt++) {
        View next = repeated;
        if (next != null && next.number() > used.number()) {
          return next;
        }
        if ((attempt & 0xFF) == 0) {
          report.run();
        }
        currentView.current();
        environment.backoff(attempt);
      }
    } finally {
      waiting.getAndDecrement();
    }
  }

  /**
   * Lets nobody in any more, and nobody go on who waits.
   *
   * @param isFailed whether memory nodes have failed: then who is inside may wait for somebody who
   *     cannot end, and does not
   */
  public void close(boolean isFailed) {
    isClosed = true;
    isUrgent = isFailed;
    repeated = null;
  }

  /** Whether all that are inside wait for the next view. */
  public boolean isDrained() {
    int before = waiting.get();
    return inside[0].get() + inside[1].get() == before;
  }

  /** Has those that wait go on in a view. */
  public void repeat(View next) {
    repeated = next;
  }

  /** Whether nobody is inside. */
  public boolean isEmpty() {
    return inside[0].get() == 0 && inside[1].get() == 0;
  }

  /** Lets all in again: the next view is in force. */
  public void open() {
    repeated = null;
    isUrgent = false;
    isClosed = false;
  }
}
