package org.nelumbo.cli;

/** Exit statuses of the commands, on which scripts rely. */
public final class ExitStatus {
  /** The command is done and every requested check has passed. */
  public static final int DONE = 0;

  /** A consistency check failed, or an unexpected error stopped the run. */
  public static final int FAILED = 1;

  /** The command line is wrong. */
  public static final int USAGE = 2;

  /** The database could not be opened, or was lost. */
  public static final int NO_DATABASE = 3;

  private ExitStatus() {}
}
