package org.nelumbo.jdbc.result;

import java.sql.SQLException;
import java.sql.Statement;
import org.nelumbo.jdbc.value.SqlExceptions;

/** Owner of a result set: the part of a statement that its result set needs. */
public interface ResultSetOwner {
  /** No statement: the owner of metadata and generated keys, whose rows are in memory. */
  ResultSetOwner NONE = new None();

  /** What {@code ResultSet.getStatement} returns. */
  Statement statement();

  /** The text of the query; null if there is none. */
  String sql();

  /** Whether the statement is closed. */
  boolean isClosed();

  /** How many times the end of a transaction has closed the results of the connection. */
  long resultsEnded();

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
    public String sql() {
      return null;
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public long resultsEnded() {
      return 0;
    }

    @Override
    public void resultClosed() {}

    @Override
    public SQLException failed(Throwable e) {
      return SqlExceptions.unexpected(e);
    }
  }
}
