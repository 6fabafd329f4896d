package org.nelumbo.benchmark.run;

/** A run that ended early: an unexpected error, a lost database, or terminals that hang. */
public final class RunStoppedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean databaseLost;

  /**
   * A run that ended early.
   *
   * @param databaseLost whether the database went away
   */
  public RunStoppedException(String message, Throwable cause, boolean databaseLost) {
    super(message, cause);
    this.databaseLost = databaseLost;
  }

  /** Whether the database went away, as opposed to refusing something. */
  public boolean databaseLost() {
    return databaseLost;
  }
}
