package org.nelumbo.simulation.world;

/**
 * A simulated thread. A run waits for its foreground tasks (the clients); background tasks are the
 * threads that the engine creates for itself.
 */
public final class SimTask {
  /** State of a task, for reports and for decisions of the scheduler. */
  public enum State {
    NEW,
    /** Runs, or is ready to run. */
    RUNNABLE,
    /** Waits for its verbs. */
    FLUSHING,
    /** Waits for a time: parked with a timeout, or backing off. */
    WAITING,
    /** Parked by java.util.concurrent without a timeout. */
    PARKED,
    /** Stopped by a fault: takes no further step and releases nothing. */
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

  /** True if its next step became due while it was stopped. */
  boolean isDue;

  private long pausedUntil;
  private FifoServer processor;

  SimTask(int id, String name, SimNode node, boolean foreground) {
    this.id = id;
    this.name = name;
    this.node = node;
    this.foreground = foreground;
    this.wake = new Wake(this);
    this.processor = node.lastProcessor();
  }

  /**
   * Returns the number of the task: tasks of a world are numbered from 0 in the order of creation.
   */
  public int id() {
    return id;
  }

  /** Returns node and name, as in {@code cn0/teller-1}. */
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

  /**
   * Returns the processor to which the work of the task is charged, or null if its work takes no
   * time.
   */
  public FifoServer processor() {
    return processor;
  }

  /** Pins the task to a processor of its node. */
  public void runOn(FifoServer newProcessor) {
    processor = newProcessor;
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

  /** Returns true if the task will take further steps. */
  public boolean isAlive() {
    return state != State.STOPPED && state != State.FINISHED;
  }

  /** Pauses the task until this virtual time: it is slow, but has not failed. */
  public void pauseUntil(long time) {
    pausedUntil = Math.max(pausedUntil, time);
  }

  /** Returns the virtual time before which the task takes no step. */
  long pausedUntil() {
    return Math.max(pausedUntil, node.pausedUntil());
  }

  @Override
  public String toString() {
    return name;
  }

  /**
   * The event that ends the wait of its task. The code that advances the time wakes the task, not
   * the event itself.
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
