package org.nelumbo.jdbc;

import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAResource;

/** A connection whose transactions a transaction manager may begin and end. */
final class NelumboXaConnection extends NelumboPooledConnection implements XAConnection {
  private final TransactionBranch branch;

  NelumboXaConnection(NelumboConnection connection) throws SQLException {
    super(connection);
    branch = new TransactionBranch(connection, this::transactionEnded);
  }

  @Override
  public XAResource getXAResource() {
    return branch;
  }
}
