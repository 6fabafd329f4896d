package org.nelumbo.simulation.world;

/**
 * An event at a virtual time. It is queued at most once at a time, and can be scheduled again after
 * it has fired.
 */
public abstract class SimEvent {
  long time;
  long tieBreak;
  boolean queued;
  private boolean cancelled;

  public final boolean isQueued() {
    return queued;
  }

  /** Cancels the queued event: it has no effect, but stays in the queue until its time. */
  public final void cancel() {
    cancelled = queued;
  }

  public final boolean isCancelled() {
    return cancelled;
  }

  final void rearm() {
    cancelled = false;
  }

  /** Runs the event on the carrier of the world. It must not wait. */
  protected abstract void fire();
}
