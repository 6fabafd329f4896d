package org.nelumbo.jdbc.result;

import java.sql.SQLException;
import java.sql.Statement;
import org.nelumbo.jdbc.value.SqlExceptions;

/** Owner of a result set: the part of a statement that its result set needs. */
public interface ResultSetOwner {
  /** The owner of metadata and generated keys: no statement, rows are in memory. */
  ResultSetOwner NONE = new None();

  /** Returns the result of {@code ResultSet.getStatement}. */
  Statement statement();

  /** Returns the text of the query, or null if there is none. */
  String sql();

  /** Returns true if the statement is closed. */
  boolean isClosed();

  /** Returns how many times the end of a transaction has closed the results of the connection. */
  long resultsEnded();

  /** Called when the user has closed the result. */
  void resultClosed() throws SQLException;

  /** Returns the exception to throw for an error of the engine while reading rows. */
  SQLException failed(Throwable e);

  /** The owner of results without a statement. */
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
