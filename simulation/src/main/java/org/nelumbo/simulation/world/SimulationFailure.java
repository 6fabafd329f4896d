package org.nelumbo.simulation.world;

/**
 * A run that failed: a simulated thread threw an exception, no task could continue, or a limit was
 * passed. The message contains the seed, the virtual time, and where each task waited.
 */
public final class SimulationFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Reason for the end of a run. */
  public enum Kind {
    /** A simulated thread threw an exception or error. */
    TASK_FAILED,
    /** No task could continue: a deadlock, or all tasks wait for a stopped one. */
    STALLED,
    /** The limit of virtual time was passed. */
    TIME_LIMIT,
    /** The limit of steps was passed. */
    STEP_LIMIT,
    /** A thread outside of the world tried to resume a simulated thread. */
    FOREIGN_THREAD
  }

  private final Kind kind;

  public SimulationFailure(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /**
   * Creates the failure for a calling thread that is not simulated and has resumed a simulated
   * thread.
   */
  static SimulationFailure ofForeignThread(long seed) {
    return new SimulationFailure(
        Kind.FOREIGN_THREAD,
        "a thread outside of the world resumed a simulated one, as after a timed park:"
            + " wait through the Environment; foreign="
            + Thread.currentThread()
            + " seed="
            + seed,
        new IllegalStateException("here"));
  }

  public Kind kind() {
    return kind;
  }
}
