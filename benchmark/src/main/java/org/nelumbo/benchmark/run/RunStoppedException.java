package org.nelumbo.benchmark.run;

/** Thrown if a run ended early: an unexpected error, a lost database, or terminals that hang. */
public final class RunStoppedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean databaseLost;

  /**
   * Creates the exception.
   *
   * @param databaseLost true if the connection to the database was lost
   */
  public RunStoppedException(String message, Throwable cause, boolean databaseLost) {
    super(message, cause);
    this.databaseLost = databaseLost;
  }

  /**
   * Returns true if the connection to the database was lost; false if the database reported an
   * error.
   */
  public boolean databaseLost() {
    return databaseLost;
  }
}
