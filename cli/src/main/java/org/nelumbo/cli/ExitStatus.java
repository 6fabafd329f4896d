package org.nelumbo.cli;

/** Exit statuses of {@code nelumbo bench}; scripts rely on them. */
public final class ExitStatus {
  /** The run is done and every check passed (or none was asked for). */
  public static final int DONE = 0;

  /** A consistency check failed, or an unexpected error stopped the run. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** Could not connect, or lost the database. */
  public static final int NO_DATABASE = 3;

  private ExitStatus() {}
}
