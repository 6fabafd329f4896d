package org.nelumbo.sqlgen;

import java.util.Collections;
import java.util.List;

/** What a statement comes to. */
sealed interface Outcome {
  /** Rows, in a form that is the same for equal values of all databases. */
  record Rows(List<String> rows) implements Outcome {
    Rows sorted() {
      List<String> sorted = new java.util.ArrayList<>(rows);
      Collections.sort(sorted);
      return new Rows(sorted);
    }
  }

  /** How many rows were changed. */
  record Count(long count) implements Outcome {}

  /** An error. */
  record Failure(String sqlState, String message) implements Outcome {
    /** The first two characters of the SQLState. */
    String kind() {
      return sqlState == null || sqlState.length() < 2 ? "" : sqlState.substring(0, 2);
    }
  }

  /** What may never be: another exception, or an error that is internal. */
  record Fault(Throwable thrown) implements Outcome {}
}
