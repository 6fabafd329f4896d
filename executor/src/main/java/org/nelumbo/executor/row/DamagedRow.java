package org.nelumbo.executor.row;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Creates the error for bytes that are not a valid row or key of their table. */
final class DamagedRow {
  private DamagedRow() {}

  static NelumboException because(String what) {
    return new NelumboException(
        ErrorCode.DATA_CORRUPTED,
        "a row is damaged: "
            + what
            + "; the other rows of its table can be read by key ranges that exclude this row");
  }
}
