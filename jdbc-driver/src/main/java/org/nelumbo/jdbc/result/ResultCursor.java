package org.nelumbo.jdbc.result;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.database.BufferedRows;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;

/**
 * Position of a result set in its rows. A forward-only cursor streams the rows. A scrollable or
 * updatable cursor reads all of them at the start and moves in the copy ({@link BufferedRows}).
 */
final class ResultCursor {
  private final ResultSetType type;
  private Rows rows;

  /** The copy in which the cursor moves; null while closed, or if rows are streamed. */
  private BufferedRows buffer;

  private boolean onRow;
  private int rowNumber;

  ResultCursor(ResultSetType type) {
    this.type = type;
  }

  /** Opens new rows and moves before the first one. */
  void open(Rows newRows, List<ResultColumn> columns) {
    onRow = false;
    rowNumber = 0;
    if (type != ResultSetType.FORWARD_ONLY) {
      buffer = BufferedRows.of(newRows, columns);
      rows = buffer;
    } else {
      rows = newRows;
    }
  }

  /** Releases the rows; the cursor is on no row until it is opened again. */
  void close() {
    onRow = false;
    buffer = null;
  }

  /**
   * Moves to the next row; returns false after the last one. If that fails, the cursor is on no
   * row.
   */
  boolean next() {
    onRow = false;
    onRow = rows.next();
    if (onRow) {
      rowNumber++;
    }
    return onRow;
  }

  /** Returns the rows, positioned on the current one. */
  Rows rows() {
    return rows;
  }

  /** Returns true if there is a current row whose values may be read. */
  boolean isOnRow() {
    return onRow;
  }

  /** Returns the number of the current row from 1, or 0 if there is none. */
  int rowNumber() {
    return onRow ? rowNumber : 0;
  }

  // Changes of rows; updatable cursors only.

  /** Leaves the current row for the insert row. */
  void leaveRow() {
    onRow = false;
  }

  /** Returns from the insert row to the row that was current before. */
  void returnToRow() {
    onRow = buffer.moveTo(buffer.position());
  }

  BufferedRows buffer() {
    return buffer;
  }

  /** Removes the current row; the preceding row, if there is one, becomes the current one. */
  void remove() {
    buffer.remove();
    rowNumber--;
    returnToRow();
  }

  // Scrolling.

  private BufferedRows scrollable() throws SQLException {
    if (buffer == null || !type.scrolls()) {
      throw SqlExceptions.of(
          ErrorCode.INVALID_CURSOR,
          "the result set is forward-only; create the statement with TYPE_SCROLL_INSENSITIVE");
    }
    return buffer;
  }

  /** Returns the number of rows; scrollable cursors only. */
  int size() throws SQLException {
    return scrollable().size();
  }

  /**
   * Returns the index of the current row from 0; -1 before the first, {@link #size} after the last.
   * Scrollable cursors only.
   */
  int position() throws SQLException {
    return scrollable().position();
  }

  /**
   * Moves to the row with an index, or before the first or after the last if the index is out of
   * range; scrollable cursors only.
   *
   * @return true if the cursor is on a row
   */
  boolean moveTo(long index) throws SQLException {
    onRow = scrollable().moveTo(Math.clamp(index, -1, size()));
    rowNumber = onRow ? buffer.position() + 1 : 0;
    return onRow;
  }
}
