package org.nelumbo.tpcc.engine;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.tpcc.terminal.TpccTransaction;

/** Begins and ends a transaction around its work; turns the engine's errors into those of JDBC. */
abstract class EngineTransaction implements TpccTransaction {
  final EngineSession session;
  final Tables tables;
  final RowBuffer image = new RowBuffer();
  private final boolean readOnly;

  EngineTransaction(EngineSession session, boolean readOnly) {
    this.session = session;
    this.tables = session.tables;
    this.readOnly = readOnly;
  }

  /** The transaction between begin and end; whether it is to be committed. */
  abstract boolean run();

  @Override
  public final Outcome execute() throws SQLException {
    session.begin(readOnly);
    try {
      if (!run()) {
        return Outcome.ROLLED_BACK;
      }
      session.ok(session.transaction.commit());
      return Outcome.COMMITTED;
    } catch (NelumboException e) {
      throw e.code().isRetryable()
          ? new SQLTransactionRollbackException(e.getMessage(), e.sqlState(), e)
          : new SQLException(e.getMessage(), e.sqlState(), e);
    } finally {
      session.transaction.abort(); // harmless after a commit
    }
  }
}
