package org.nelumbo.dm.replication.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.View;

/**
 * A gate that flushes pass while several compute nodes share a pool. It is closed to change the
 * view:
 *
 * <pre>
 *  open     --close-->   closed: flushes inside end, or wait for the next view
 *  closed   --repeat-->  waiting flushes repeat their unfinished verbs in the next view
 *  repeat   --open-->    all flushes pass, in the view in force
 * </pre>
 *
 * If a change fails and another one begins, the gate is closed again. Only one thread opens and
 * closes it. Thread-safe.
 *
 * <p>A flush enters at a fill epoch ({@link FillEpoch}) and keeps it until it leaves. Flushes of
 * the previous epoch are counted separately until all of them have left.
 */
public final class ViewGate {
  private final Environment environment;
  private final CurrentView currentView;
  private final AtomicInteger[] inside = {new AtomicInteger(), new AtomicInteger()};
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isClosed;

  /** True while flushes inside may wait only for the next view, and not for one another. */
  private volatile boolean isUrgent;

  private volatile Pass pass = new Pass(FillEpoch.NONE, 0);

  /** View in which waiting flushes continue, or null while they wait. */
  private volatile View repeated;

  /** A permission to be inside the gate; there is one for each fill epoch. */
  public static final class Pass {
    private final FillEpoch step;

    private final int count;

    private Pass(FillEpoch step, int count) {
      this.step = step;
      this.count = count;
    }

    /** Returns the fill epoch at which the flush has entered. */
    public FillEpoch step() {
      return step;
    }
  }

  ViewGate(Environment environment, CurrentView currentView) {
    this.environment = environment;
    this.currentView = currentView;
  }

  /**
   * Enters the gate; waits while the view is being changed.
   *
   * @return pass to give back to {@link #leave}
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

  /** Leaves the gate. */
  public void leave(Pass with) {
    inside[with.count].getAndDecrement();
  }

  /** Returns the fill epoch at which flushes enter. */
  public FillEpoch step() {
    return pass.step;
  }

  /** Returns true if no flush of an earlier fill epoch is inside. */
  public boolean isAtOneStep() {
    return inside[1 - pass.count].get() == 0;
  }

  /** Lets flushes enter at another fill epoch. All flushes inside are at the present one. */
  public void setStep(FillEpoch step) {
    pass = new Pass(step, 1 - pass.count);
  }

  /**
   * Returns true if a view change waits for a flush that executes in {@code view}. Then the flush
   * must not wait for other flushes.
   */
  public boolean isClosedFor(View view) {
    return isUrgent && repeated != view;
  }

  /**
   * Waits for the next view after a memory node has failed in the view that was used.
   *
   * @param report reports the failure; called repeatedly
   * @return the view to continue in, which may not be in force yet
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
   * Closes the gate: no flush enters, and waiting flushes do not continue.
   *
   * @param isFailed true if memory nodes have failed. Then a flush inside may be waiting for a
   *     flush that cannot end, and has to stop waiting
   */
  public void close(boolean isFailed) {
    isClosed = true;
    isUrgent = isFailed;
    repeated = null;
  }

  /** Returns true if all flushes inside wait for the next view. */
  public boolean isDrained() {
    int before = waiting.get();
    return inside[0].get() + inside[1].get() == before;
  }

  /** Lets waiting flushes continue in a view. */
  public void repeat(View next) {
    repeated = next;
  }

  /** Returns true if no flush is inside. */
  public boolean isEmpty() {
    return inside[0].get() == 0 && inside[1].get() == 0;
  }

  /** Opens the gate again, when the next view is in force. */
  public void open() {
    repeated = null;
    isUrgent = false;
    isClosed = false;
  }
}
