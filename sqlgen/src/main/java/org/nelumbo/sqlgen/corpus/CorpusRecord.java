package org.nelumbo.sqlgen.corpus;

import java.util.List;

/**
 * A statement of the corpus, and what it has to answer.
 *
 * @param line where it begins in its file, counted from 1
 * @param sql its text
 * @param types a letter for each column of a query: I, R or T; null if it is no query
 * @param sorting the order in which its values are compared; null if it is no query
 * @param expected values, one a line, or their number and hash; null if it is no query
 * @param fails whether it has to fail
 */
record CorpusRecord(
    int line, String sql, String types, Sorting sorting, List<String> expected, boolean fails) {
  /** How the values of a result are ordered before they are compared. */
  enum Sorting {
    NOSORT,
    ROWSORT,
    VALUESORT
  }

  boolean isQuery() {
    return types != null;
  }
}
