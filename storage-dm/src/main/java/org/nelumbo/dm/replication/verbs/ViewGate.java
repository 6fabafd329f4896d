package org.nelumbo.dm.replication.verbs;

import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.CurrentView;
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
 */
public final class ViewGate {
  private final Environment environment;
  private final CurrentView currentView;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean isClosed;

  /** In which those that wait go on; null: they wait. */
  private volatile View repeated;

  public ViewGate(Environment environment, CurrentView currentView) {
    this.environment = environment;
    this.currentView = currentView;
  }

  /**
   * Goes in; waits while the view is being changed.
   *
   * @throws FabricException if the pool is lost
   */
  public void enter() {
    for (int attempt = 0; ; attempt++) {
      if (!isClosed) {
        inside.getAndIncrement();
        if (!isClosed) {
          return;
        }
        inside.getAndDecrement();
      }
      currentView.current();
      environment.backoff(attempt);
    }
  }

  /** Goes out. */
  public void leave() {
    inside.getAndDecrement();
  }

  /** Whether who goes on in a view is waited for: by those who change it. */
  public boolean isClosedFor(View view) {
    return isClosed && repeated != view;
  }

  /**
   * Waits for the next view, if a memory node has failed in the one that was used.
   *
   * @param report tells of the failure; it is called now and then
   * @return the view to go on in: it may not be in force yet
   * @throws FabricException if the pool is lost
   */
  View awaitNext(View used, Runnable report) {
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

  /** Lets nobody in any more, and nobody go on who waits. */
  public void close() {
    isClosed = true;
    repeated = null;
  }

  /** Whether all that are inside wait for the next view. */
  public boolean isDrained() {
    int before = waiting.get();
    return inside.get() == before;
  }

  /** Has those that wait go on in a view. */
  public void repeat(View next) {
    repeated = next;
  }

  /** Whether nobody is inside. */
  public boolean isEmpty() {
    return inside.get() == 0;
  }

  /** Lets all in again: the next view is in force. */
  public void open() {
    repeated = null;
    isClosed = false;
  }
}
