package org.nelumbo.simulation.world;

/**
 * A simulated thread. Foreground tasks are what a run waits for (the clients); background tasks are
 * the threads that the engine makes for itself.
 */
public final class SimTask {
  /** What a task is doing, for reports and decisions of the scheduler. */
  public enum State {
    NEW,
    /** Runs, or could. */
    RUNNABLE,
    /** Waits for its verbs. */
    FLUSHING,
    /** Waits for a time: parked with a limit, or backing off. */
    WAITING,
    /** Parked by java.util.concurrent, for as long as it takes. */
    PARKED,
    /** Was stopped by a fault: takes no further step, and gives nothing back. */
    STOPPED,
    FINISHED
  }

  private final int id;
  private final String name;
  private final SimNode node;
  private final boolean foreground;
  Thread thread;
  Runnable continuation;
  State state = State.NEW;
  Wake wake;
  boolean awake;

  /** It was stopped when its next step was due. */
  boolean isDue;

  private long pausedUntil;

  SimTask(int id, String name, SimNode node, boolean foreground) {
    this.id = id;
    this.name = name;
    this.node = node;
    this.foreground = foreground;
    this.wake = new Wake(this);
  }

  /** Numbers the tasks of a world from 0, in the order they were made. */
  public int id() {
    return id;
  }

  /** Node and name, as in {@code cn0/teller-1}. */
  public String name() {
    return name;
  }

  public SimNode node() {
    return node;
  }

  public boolean isForeground() {
    return foreground;
  }

  public Thread thread() {
    return thread;
  }

  public State state() {
    return state;
  }

  public boolean isStopped() {
    return state == State.STOPPED;
  }

  public boolean isFinished() {
    return state == State.FINISHED;
  }

  /** Will take further steps. */
  public boolean isAlive() {
    return state != State.STOPPED && state != State.FINISHED;
  }

  /** Takes no step before that virtual time: it is slow, not dead. */
  public void pauseUntil(long time) {
    pausedUntil = Math.max(pausedUntil, time);
  }

  /** When it may go on. */
  long pausedUntil() {
    return Math.max(pausedUntil, node.pausedUntil());
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * The event that ends the wait of its task. Whoever advances the time does what it stands for.
   */
  static final class Wake extends SimEvent {
    final SimTask task;

    Wake(SimTask task) {
      this.task = task;
    }

    @Override
    protected void fire() {}
  }
}
