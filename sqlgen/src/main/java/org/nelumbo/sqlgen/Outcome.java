package org.nelumbo.sqlgen;

import java.util.Collections;
import java.util.List;

/** The outcome of a statement. */
sealed interface Outcome {
  /** Rows, in a form that is equal for equal values of all databases. */
  record Rows(List<String> rows) implements Outcome {
    Rows sorted() {
      List<String> sorted = new java.util.ArrayList<>(rows);
      Collections.sort(sorted);
      return new Rows(sorted);
    }
  }

  /** The number of changed rows. */
  record Count(long count) implements Outcome {}

  /** An error. */
  record Failure(String sqlState, String message) implements Outcome {
    /** Returns the first two characters of the SQLState. */
    String kind() {
      return sqlState == null || sqlState.length() < 2 ? "" : sqlState.substring(0, 2);
    }
  }

  /** A failure that is never allowed: another exception than SQLException, or an internal error. */
  record Fault(Throwable thrown) implements Outcome {}
}
