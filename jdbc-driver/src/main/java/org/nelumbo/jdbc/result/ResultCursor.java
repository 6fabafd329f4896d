package org.nelumbo.jdbc.result;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.database.BufferedRows;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;

/**
 * Position of a result set in its rows. A forward-only cursor reads the rows as they come; a
 * scrollable or updatable one reads all of them at the start and moves in the copy ({@link
 * BufferedRows}).
 */
final class ResultCursor {
  private final ResultSetType type;
  private Rows rows;

  /** The copy that a cursor moves in; null while closed, or if rows are read as they come. */
  private BufferedRows buffer;

  private boolean onRow;
  private int rowNumber;

  ResultCursor(ResultSetType type) {
    this.type = type;
  }

  /** Stands before the first of new rows. */
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

  /** Leaves the rows; the cursor is on none until it is opened again. */
  void close() {
    onRow = false;
    buffer = null;
  }

  /** Goes to the next row; false after the last. If that fails, the cursor is on no row. */
  boolean next() {
    onRow = false;
    onRow = rows.next();
    if (onRow) {
      rowNumber++;
    }
    return onRow;
  }

  /** The rows, standing on the current one. */
  Rows rows() {
    return rows;
  }

  /** Whether there is a current row, so that its values may be read. */
  boolean isOnRow() {
    return onRow;
  }

  /** Number of the current row, from 1; 0 if there is none. */
  int rowNumber() {
    return onRow ? rowNumber : 0;
  }

  // Changes of rows; updatable cursors only.

  /** Leaves the current row for the one that is to be inserted. */
  void leaveRow() {
    onRow = false;
  }

  /** Comes back to the row that was left. */
  void returnToRow() {
    onRow = buffer.moveTo(buffer.position());
  }

  BufferedRows buffer() {
    return buffer;
  }

  /** Takes the current row out; the one before it is the current one then, if there is one. */
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

  /** How many rows there are; scrollable cursors only. */
  int size() throws SQLException {
    return scrollable().size();
  }

  /**
   * Index of the current row from 0; -1 before the first, {@link #size} after the last. Scrollable
   * cursors only.
   */
  int position() throws SQLException {
    return scrollable().position();
  }

  /**
   * Goes to the row with this index, or before the first or after the last if there is none such;
   * scrollable cursors only.
   *
   * @return whether the cursor is on a row
   */
  boolean moveTo(long index) throws SQLException {
    onRow = scrollable().moveTo(Math.clamp(index, -1, size()));
    rowNumber = onRow ? buffer.position() + 1 : 0;
    return onRow;
  }
}
