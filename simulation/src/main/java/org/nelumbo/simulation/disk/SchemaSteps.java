package org.nelumbo.simulation.disk;

import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * Statements on a table that is created, filled, emptied, changed and dropped, again and again.
 * After a loss of power the table has the state after the last acknowledged statement, or after the
 * one in progress. No number of its identity column is generated twice.
 */
final class SchemaSteps {
  private static final String NONE = "none";

  /** Statements, and the content of the table after each: the values of its rows in order. */
  private static final String[][] STEPS = {
    {"CREATE TABLE S (ID BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, V INT UNIQUE)", ""},
    {"INSERT INTO S (V) VALUES (1), (2), (3)", "1 2 3 "},
    {"DELETE FROM S WHERE V = 2", "1 3 "},
    {"TRUNCATE TABLE S", ""},
    {"INSERT INTO S (V) VALUES (4), (5)", "4 5 "},
    {"ALTER TABLE S ADD COLUMN W INT DEFAULT 7", "4 5 "},
    {"UPDATE S SET V = 6 WHERE V = 4", "5 6 "},
    {"DROP TABLE S", NONE},
  };

  private static final int STATEMENTS = 10;

  private final SimRandom random;

  /** Index of the next statement; the one before it was acknowledged. */
  private int next;

  private boolean isUnderWay;

  private long lastNumber;

  SchemaSteps(SimRandom random) {
    this.random = random;
  }

  /** Returns true if an exception means that the database cannot be written any more. */
  static boolean isLoss(RuntimeException thrown) {
    return TransactionFailed.isLoss(thrown)
        || thrown instanceof NelumboException known
            && (known.code() == ErrorCode.OUTCOME_UNKNOWN
                || known.code() == ErrorCode.CONNECTION_CLOSED
                || known.code() == ErrorCode.CONNECTION_FAILED
                || known.code() == ErrorCode.IO_ERROR);
  }

  /** Runs some statements. */
  void run(LocalDatabase database) {
    try (Session session = database.connect(SessionOptions.defaults())) {
      for (int i = random.nextInt(STATEMENTS); i >= 0; i--) {
        isUnderWay = true;
        try (var execution = session.newExecution(session.prepare(STEPS[next][0]))) {
          execution.executeUpdate();
        }
        boolean isInsert = STEPS[next][0].startsWith("INSERT");
        done();
        noteNumbers(session, isInsert);
      }
    }
  }

  private void done() {
    isUnderWay = false;
    next = (next + 1) % STEPS.length;
    lastNumber = next == 1 ? 0 : lastNumber;
  }

  /** Checks the content of the table after the database has been opened. */
  void check(LocalDatabase database) {
    try (Session session = database.connect(SessionOptions.defaults())) {
      String found = found(session);
      boolean isBefore = found.equals(before());
      boolean isAfter = isUnderWay && found.equals(STEPS[next][1]);
      if (!isBefore && !isAfter) {
        throw new Violation(
            "the table is neither as it was before '" + STEPS[next][0] + "', nor after: " + found);
      }
      if (isAfter && (!isBefore || isAltered(session))) {
        done();
      }
      isUnderWay = false;
      noteNumbers(session, false);
    }
  }

  private String before() {
    return STEPS[(next + STEPS.length - 1) % STEPS.length][1];
  }

  private boolean isAltered(Session session) {
    return STEPS[next][0].startsWith("ALTER")
        && session.prepare("SELECT * FROM S").columns().size() == 3;
  }

  private static String found(Session session) {
    StringBuilder values = new StringBuilder();
    try (var query = session.newExecution(session.prepare("SELECT V FROM S ORDER BY V"))) {
      query.executeQuery();
      while (query.next()) {
        values.append(query.longAt(0)).append(' ');
      }
      return values.toString();
    } catch (NelumboException e) {
      if (e.code() == ErrorCode.NO_SUCH_TABLE) {
        return NONE;
      }
      throw e;
    }
  }

  private void noteNumbers(Session session, boolean isNew) {
    if (before().equals(NONE) || before().isEmpty()) {
      return;
    }
    try (var query = session.newExecution(session.prepare("SELECT MIN(ID), MAX(ID) FROM S"))) {
      query.executeQuery();
      query.next();
      if (isNew && query.longAt(0) <= lastNumber) {
        throw new Violation(
            "a number was assigned twice number=" + query.longAt(0) + " last=" + lastNumber);
      }
      lastNumber = Math.max(lastNumber, query.longAt(1));
    }
  }
}
