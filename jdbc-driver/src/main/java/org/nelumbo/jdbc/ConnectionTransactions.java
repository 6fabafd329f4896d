package org.nelumbo.jdbc;

import java.sql.SQLException;
import java.sql.Savepoint;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.planner.Database;
import org.nelumbo.planner.Session;

/** The transactions of a connection: auto-commit, commit and rollback, savepoints, isolation. */
abstract class ConnectionTransactions extends ConnectionSettings {
  ConnectionTransactions(Database database, Session session, boolean ownsDatabase) {
    super(database, session, ownsDatabase);
  }

  @Override
  public void setAutoCommit(boolean on) throws SQLException {
    checkOpen();
    boolean ends = on && session().inTransaction();
    act(() -> session().setAutoCommit(on), ends);
  }

  @Override
  public boolean getAutoCommit() throws SQLException {
    checkOpen();
    return session().autoCommit();
  }

  @Override
  public void commit() throws SQLException {
    checkManual("commit");
    try {
      session().commit();
    } catch (RuntimeException | InternalError e) {
      throw failed(e);
    } finally {
      transactionEnded();
    }
  }

  @Override
  public void rollback() throws SQLException {
    checkManual("rollback");
    act(session()::rollback, true);
  }

  private void checkManual(String what) throws SQLException {
    checkOpen();
    if (session().autoCommit()) {
      throw Errors.of(
          ErrorCode.INVALID_TRANSACTION_STATE,
          what + " needs auto-commit to be off; call setAutoCommit(false) first");
    }
  }

  @Override
  public Savepoint setSavepoint() throws SQLException {
    return savepoint(null);
  }

  @Override
  public Savepoint setSavepoint(String name) throws SQLException {
    if (name == null) {
      throw Errors.badParameter("the savepoint's name is null");
    }
    return savepoint(name);
  }

  private Savepoint savepoint(String name) throws SQLException {
    checkManual("a savepoint");
    try {
      return new NelumboSavepoint(session().setSavepoint(name));
    } catch (RuntimeException | InternalError e) {
      throw failed(e);
    }
  }

  @Override
  public void rollback(Savepoint savepoint) throws SQLException {
    checkManual("rollback to a savepoint");
    org.nelumbo.planner.Savepoint own = own(savepoint);
    act(() -> session().rollbackTo(own), true);
  }

  @Override
  public void releaseSavepoint(Savepoint savepoint) throws SQLException {
    checkManual("releasing a savepoint");
    org.nelumbo.planner.Savepoint own = own(savepoint);
    act(() -> session().release(own), false);
  }

  private static org.nelumbo.planner.Savepoint own(Savepoint savepoint) throws SQLException {
    if (savepoint instanceof NelumboSavepoint own) {
      return own.savepoint();
    }
    throw Errors.of(ErrorCode.NO_SUCH_SAVEPOINT, "the savepoint was not set by this connection");
  }

  /** The two weakest levels, and REPEATABLE READ, mean snapshot isolation. */
  @Override
  public void setTransactionIsolation(int level) throws SQLException {
    checkOpen();
    Isolation isolation =
        switch (level) {
          case TRANSACTION_SERIALIZABLE -> Isolation.SERIALIZABLE;
          case TRANSACTION_REPEATABLE_READ,
              TRANSACTION_READ_COMMITTED,
              TRANSACTION_READ_UNCOMMITTED ->
              Isolation.SNAPSHOT;
          default ->
              throw Errors.badParameter(level + " is not an isolation level of transactions");
        };
    if (isolation != session().isolation()) {
      act(() -> session().setIsolation(isolation), false);
    }
  }

  @Override
  public int getTransactionIsolation() throws SQLException {
    checkOpen();
    return session().isolation() == Isolation.SERIALIZABLE
        ? TRANSACTION_SERIALIZABLE
        : TRANSACTION_REPEATABLE_READ;
  }

  @Override
  public void setReadOnly(boolean readOnly) throws SQLException {
    checkOpen();
    act(() -> session().setReadOnly(readOnly), false);
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    checkOpen();
    return session().readOnly();
  }
}
