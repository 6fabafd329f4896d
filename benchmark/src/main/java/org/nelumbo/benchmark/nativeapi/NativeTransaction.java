package org.nelumbo.benchmark.nativeapi;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.RowBuffer;

/** Begins and ends a transaction around its work; turns the engine's errors into those of JDBC. */
public abstract class NativeTransaction implements TerminalTransaction {
  /** For images of rows that are written at once. */
  protected final RowBuffer image = new RowBuffer();

  private final NativeApiSession session;
  private final boolean readOnly;

  /** A transaction type of a session. */
  protected NativeTransaction(NativeApiSession session, boolean readOnly) {
    this.session = session;
    this.readOnly = readOnly;
  }

  /** The transaction between begin and end; whether it is to be committed. */
  protected abstract boolean run();

  /** Called when it has committed. */
  protected void committed() {}

  @Override
  public final Outcome execute() throws SQLException {
    session.begin(readOnly);
    try {
      if (!run()) {
        return Outcome.ROLLED_BACK;
      }
      session.ok(session.transaction.commit());
      committed();
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
