package org.nelumbo.jdbc.statement;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Arrays;

/** Runs the parts of a batch in order up to the first one that fails. */
final class BatchUpdates {
  private BatchUpdates() {}

  /** One part of a batch. */
  @FunctionalInterface
  interface Part {
    long run(int index) throws SQLException;
  }

  /**
   * Runs all parts and returns their update counts. A failure contains the counts of the completed
   * parts.
   */
  static long[] run(int size, Part part) throws SQLException {
    long[] counts = new long[size];
    for (int i = 0; i < size; i++) {
      try {
        counts[i] = part.run(i);
      } catch (SQLException e) {
        throw failure(e, i, Arrays.copyOf(counts, i));
      }
    }
    return counts;
  }

  /** Returns the failure of a batch at a part, with the update counts of the completed parts. */
  static BatchUpdateException failure(SQLException e, int index, long[] counts) {
    BatchUpdateException failure =
        new BatchUpdateException(
            "statement " + (index + 1) + " of the batch failed: " + e.getMessage(),
            e.getSQLState(),
            e.getErrorCode(),
            counts,
            e);
    failure.setNextException(e);
    return failure;
  }
}
