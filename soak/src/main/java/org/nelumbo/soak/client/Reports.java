package org.nelumbo.soak.client;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/**
 * Lines that a client writes for the process that runs the rounds. The first word is the kind of
 * the line. A written line survives a kill, since it is passed to the operating system in one
 * write. Thread-safe.
 */
public final class Reports {
  /** {@code begin SESSION ROUND ISOLATION NANOS WORDS}: the session is about to commit. */
  public static final String TRANSACTION = "begin";

  /** {@code commit SESSION NANOS}: the commit was acknowledged. */
  public static final String COMMITTED = "commit";

  /** {@code abort SESSION NANOS}: the transaction has not happened. */
  public static final String ABORTED = "abort";

  /** {@code unknown SESSION}: the outcome is unknown. */
  public static final String UNKNOWN = "unknown";

  /** {@code enter SESSION ROUND}: the session uses the keys of a round from now on. */
  public static final String ENTERED = "enter";

  /** {@code done SESSION ROUND}: the session has ended its last transaction of a round. */
  public static final String DONE = "done";

  /**
   * {@code look ROUND MONEY NUMBER,NUMBER,...}: money of the bank, and entries of the journal, at
   * the end of a round. It is one line, since a check of the round before may end at the same time.
   */
  public static final String LOOK = "look";

  /** {@code failed ROUND TEXT}: the client could not check the bank, since it has no database. */
  public static final String FAILED = "failed";

  /** {@code wrong TEXT}: an invariant is violated. */
  public static final String WRONG = "wrong";

  /** {@code created}: the tables exist. */
  public static final String CREATED = "created";

  /** {@code schema NUMBER}: statements that changed tables so far. */
  public static final String SCHEMA = "schema";

  /**
   * {@code spilled NUMBER FULL}: sorts and groupings by temporary files so far, and those that
   * failed for lack of space.
   */
  public static final String SPILLED = "spilled";

  private final PrintStream out;

  Reports(PrintStream out) {
    this.out = out;
  }

  void say(String kind, String rest) {
    byte[] line = (kind + " " + rest.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
    synchronized (out) {
      out.write(line, 0, line.length);
      out.flush();
    }
  }

  /**
   * Reports an error that is not allowed: any failure of a database must leave its driver as an
   * SQLException with an SQLState that describes what to do.
   */
  void judge(Throwable failure) {
    if (failure instanceof SQLException e) {
      if (e.getSQLState() == null || e.getSQLState().startsWith("XX")) {
        say(WRONG, "SQLState " + e.getSQLState() + ": " + e.getMessage());
        e.printStackTrace();
      }
    } else if (!isHeapFull(failure)) {
      say(WRONG, "left the driver: " + failure);
      failure.printStackTrace();
    }
  }

  /** The heap may be full anywhere in an application, outside the driver too. */
  private static boolean isHeapFull(Throwable failure) {
    return failure instanceof OutOfMemoryError
        && !String.valueOf(failure.getMessage()).contains("native thread");
  }
}
