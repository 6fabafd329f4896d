package org.nelumbo.jdbc.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.statement.ConnectionCore;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.Session;

/**
 * The transaction control of a connection: auto-commit mode, commit and rollback, savepoints,
 * isolation level, read-only mode. Methods implement the methods of {@link Connection} with the
 * same names.
 */
final class ConnectionTransactions {
  private final ConnectionCore core;
  private final Session session;

  ConnectionTransactions(ConnectionCore core) {
    this.core = core;
    session = core.session();
  }

  void setAutoCommit(boolean on) throws SQLException {
    core.checkOpen();
    if (on && session.inTransaction()) {
      core.inSessionClosingResults(() -> session.setAutoCommit(true));
    } else {
      core.inSession(() -> session.setAutoCommit(on));
    }
  }

  boolean getAutoCommit() throws SQLException {
    core.checkOpen();
    return session.autoCommit();
  }

  void commit() throws SQLException {
    checkManual("commit");
    try {
      session.commit();
    } catch (Throwable e) {
      throw core.commitFailed(e);
    } finally {
      core.transactionEnded();
    }
  }

  void rollback() throws SQLException {
    checkManual("rollback");
    core.inSessionClosingResults(session::rollback);
  }

  private void checkManual(String what) throws SQLException {
    core.checkOpen();
    if (session.autoCommit()) {
      throw SqlExceptions.of(
          ErrorCode.INVALID_TRANSACTION_STATE,
          what + " needs auto-commit to be off; call setAutoCommit(false) first");
    }
  }

  Savepoint setSavepoint() throws SQLException {
    return savepoint(null);
  }

  Savepoint setSavepoint(String name) throws SQLException {
    if (name == null) {
      throw SqlExceptions.badParameter("the savepoint's name is null");
    }
    return savepoint(name);
  }

  private Savepoint savepoint(String name) throws SQLException {
    checkManual("a savepoint");
    try {
      return new NelumboSavepoint(session.setSavepoint(name));
    } catch (Throwable e) {
      throw core.failed(e);
    }
  }

  void rollback(Savepoint savepoint) throws SQLException {
    checkManual("rollback to a savepoint");
    NelumboSavepoint own = own(savepoint);
    core.inSessionClosingResults(() -> session.rollbackTo(own.savepoint()));
  }

  void releaseSavepoint(Savepoint savepoint) throws SQLException {
    checkManual("releasing a savepoint");
    NelumboSavepoint own = own(savepoint);
    core.inSession(() -> session.release(own.savepoint()));
  }

  private static NelumboSavepoint own(Savepoint savepoint) throws SQLException {
    if (savepoint instanceof NelumboSavepoint own) {
      return own;
    }
    throw SqlExceptions.of(
        ErrorCode.NO_SUCH_SAVEPOINT, "the savepoint was not set by this connection");
  }

  /** Sets the isolation level; every level except SERIALIZABLE means snapshot isolation. */
  void setTransactionIsolation(int level) throws SQLException {
    core.checkOpen();
    Isolation isolation =
        switch (level) {
          case Connection.TRANSACTION_SERIALIZABLE -> Isolation.SERIALIZABLE;
          case Connection.TRANSACTION_REPEATABLE_READ,
              Connection.TRANSACTION_READ_COMMITTED,
              Connection.TRANSACTION_READ_UNCOMMITTED ->
              Isolation.SNAPSHOT;
          default ->
              throw SqlExceptions.badParameter(
                  level + " is not an isolation level of transactions");
        };
    if (isolation != session.isolation()) {
      core.inSession(() -> session.setIsolation(isolation));
    }
  }

  int getTransactionIsolation() throws SQLException {
    core.checkOpen();
    return session.isolation() == Isolation.SERIALIZABLE
        ? Connection.TRANSACTION_SERIALIZABLE
        : Connection.TRANSACTION_REPEATABLE_READ;
  }

  void setReadOnly(boolean readOnly) throws SQLException {
    core.checkOpen();
    core.inSession(() -> session.setReadOnly(readOnly));
  }

  boolean isReadOnly() throws SQLException {
    core.checkOpen();
    return session.readOnly();
  }
}
