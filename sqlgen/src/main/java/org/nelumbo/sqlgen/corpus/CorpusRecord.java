package org.nelumbo.sqlgen.corpus;

import java.util.List;

/**
 * A statement of the corpus, and what it has to answer.
 *
 * @param line where it begins in its file, counted from 1
 * @param session the name of the session that runs it
 * @param sql its text
 * @param expected what has to come of it
 */
record CorpusRecord(int line, String session, String sql, Expectation expected) {
  /** What has to come of a statement. */
  sealed interface Expectation {}

  /**
   * A result.
   *
   * @param types a letter for each column: I, R or T
   * @param sorting the order in which its values are compared
   * @param values one after the other, or their number and hash
   */
  record Rows(String types, Sorting sorting, List<String> values) implements Expectation {}

  /**
   * An error.
   *
   * @param sqlState what its SQLState begins with
   */
  record Failure(String sqlState) implements Expectation {}

  /**
   * Success.
   *
   * @param count how many rows are changed; {@link #ANY} if that is not said
   */
  record Done(long count) implements Expectation {
    static final long ANY = -1;
  }

  /** How the values of a result are ordered before they are compared. */
  enum Sorting {
    NOSORT,
    ROWSORT,
    VALUESORT
  }

  boolean isQuery() {
    return expected instanceof Rows;
  }
}
