package org.nelumbo.simulation.world;

/**
 * A run that did not end well: a simulated thread failed, nothing could go on, or a limit was
 * passed. The message names the seed and the virtual time and says who waited where.
 */
public final class SimulationFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why a run ended. */
  public enum Kind {
    /** A simulated thread threw something. */
    TASK_FAILED,
    /** Nothing could go on: a deadlock, or everybody waits for one who has stopped. */
    STALLED,
    /** The limit of virtual time was passed. */
    TIME_LIMIT,
    /** The limit of events was passed. */
    STEP_LIMIT,
    /** A thread outside of the world tried to resume a simulated one. */
    FOREIGN_THREAD
  }

  private final Kind kind;

  public SimulationFailure(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** The calling thread is no simulated one, and has resumed one. */
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
