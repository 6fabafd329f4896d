package org.nelumbo.soak.client;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;

/**
 * Lines that a client writes for the process that runs the rounds. The first word says what a line
 * is. A line that was written outlives a kill: it is handed to the system whole. Thread-safe.
 */
public final class Reports {
  /** {@code begin SESSION ROUND ISOLATION NANOS WORDS}: commit is asked for now. */
  public static final String TRANSACTION = "begin";

  /** {@code commit SESSION NANOS}: the transaction was acknowledged. */
  public static final String COMMITTED = "commit";

  /** {@code abort SESSION NANOS}: the transaction has not happened. */
  public static final String ABORTED = "abort";

  /** {@code unknown SESSION}: nobody was told. */
  public static final String UNKNOWN = "unknown";

  /** {@code enter SESSION ROUND}: a session works with the keys of a round from now on. */
  public static final String ENTERED = "enter";

  /** {@code done SESSION ROUND}: a session has ended its last transaction of a round. */
  public static final String DONE = "done";

  /**
   * {@code look ROUND MONEY NUMBER,NUMBER,...}: money of the bank, and entries of the journal, at
   * the end of a round. One line: a look at the round before may end at the same time.
   */
  public static final String LOOK = "look";

  /** {@code failed ROUND TEXT}: who was asked to look at the bank has no database. */
  public static final String FAILED = "failed";

  /** {@code wrong TEXT}: something that must never be was seen. */
  public static final String WRONG = "wrong";

  /** {@code created}: the tables are there. */
  public static final String CREATED = "created";

  /** {@code schema NUMBER}: statements that changed tables so far. */
  public static final String SCHEMA = "schema";

  /**
   * {@code spilled NUMBER FULL}: sorts and groupings by temporary files so far, and those that
   * found no room.
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
   * Says what is wrong about an error, if anything is: whatever happens to a database, its driver
   * ends in an SQLException with an SQLState that tells what to do.
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

  /** The heap may be full wherever an application asks for memory, outside the driver too. */
  private static boolean isHeapFull(Throwable failure) {
    return failure instanceof OutOfMemoryError
        && !String.valueOf(failure.getMessage()).contains("native thread");
  }
}
