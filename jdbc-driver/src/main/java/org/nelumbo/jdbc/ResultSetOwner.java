package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.sql.Statement;

/** The statement of a result set, as far as the result set knows it. */
interface ResultSetOwner {
  /** Owner of results that no statement has, and whose rows are in memory. */
  ResultSetOwner NONE = new None();

  /** What {@code ResultSet.getStatement} returns. */
  Statement statement();

  /** Whether the statement is closed. */
  boolean isClosed();

  /** Called when the result has been closed by its user. */
  void resultClosed() throws SQLException;

  /** The exception to throw for an error of the engine while rows were read. */
  SQLException failed(Throwable e);

  /** No statement. */
  final class None implements ResultSetOwner {
    @Override
    public Statement statement() {
      return null;
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public void resultClosed() {}

    @Override
    public SQLException failed(Throwable e) {
      return Errors.internal(e);
    }
  }
}
