package org.nelumbo.simulation.world;

/**
 * An event at a virtual time. An event is in the queue at most once; it may be used again after it
 * has fired.
 */
public abstract class SimEvent {
  long time;
  long tieBreak;
  boolean queued;
  private boolean cancelled;

  public final boolean isQueued() {
    return queued;
  }

  /** Keeps the queued event from having an effect; it stays queued until its time comes. */
  public final void cancel() {
    cancelled = queued;
  }

  public final boolean isCancelled() {
    return cancelled;
  }

  final void rearm() {
    cancelled = false;
  }

  /** Happens. On the carrier of the world; must not wait. */
  protected abstract void fire();
}
