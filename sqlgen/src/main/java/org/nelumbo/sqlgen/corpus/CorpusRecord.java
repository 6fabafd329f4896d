package org.nelumbo.sqlgen.corpus;

import java.util.List;

/**
 * A statement of the corpus, and its expected result.
 *
 * @param line first line in its file, counted from 1
 * @param session name of the session that runs it
 * @param sql its text
 * @param expected expected result
 */
record CorpusRecord(int line, String session, String sql, Expectation expected) {
  /** The expected result of a statement. */
  sealed interface Expectation {}

  /**
   * A query result.
   *
   * @param types a letter for each column: I, R or T
   * @param sorting order in which its values are compared
   * @param values values in order, or their number and hash
   */
  record Rows(String types, Sorting sorting, List<String> values) implements Expectation {}

  /**
   * An error.
   *
   * @param sqlState prefix of its SQLState
   */
  record Failure(String sqlState) implements Expectation {}

  /**
   * Success.
   *
   * @param count number of changed rows; {@link #ANY} if unspecified
   */
  record Done(long count) implements Expectation {
    static final long ANY = -1;
  }

  /** Order of the values of a result for the comparison. */
  enum Sorting {
    NOSORT,
    ROWSORT,
    VALUESORT
  }

  boolean isQuery() {
    return expected instanceof Rows;
  }
}
