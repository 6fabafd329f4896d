package org.nelumbo.benchmark.nativeapi;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.RowBuffer;

/**
 * A transaction type that begins and ends a transaction around its work, and converts the errors of
 * the engine to those of JDBC.
 */
public abstract class NativeTransaction implements TerminalTransaction {
  /** A buffer for row images that are written at once. */
  protected final RowBuffer image = new RowBuffer();

  private final NativeApiSession session;
  private final boolean readOnly;

  protected NativeTransaction(NativeApiSession session, boolean readOnly) {
    this.session = session;
    this.readOnly = readOnly;
  }

  /** Does the work between begin and end; returns true if the transaction is to be committed. */
  protected abstract boolean run();

  /** Called after the transaction has committed. */
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
      session.transaction.abort(); // no effect after a commit
    }
  }
}
