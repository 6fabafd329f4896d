package org.nelumbo.ycsb.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.Operation;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Creates the transactions of a terminal that uses JDBC. */
public final class JdbcTransactions {
  private JdbcTransactions() {}

  /** Creates one transaction for each operation, in their order, with its statements prepared. */
  public static List<TerminalTransaction> of(
      List<Operation> operations, JdbcSession session, RecordInput input) throws SQLException {
    List<TerminalTransaction> transactions = new ArrayList<>();
    for (Operation operation : operations) {
      transactions.add(
          switch (operation) {
            case READ -> new Read(session, input);
            case UPDATE -> new Update(session, input);
            case SCAN -> new Scan(session, input);
            case INSERT -> new Insert(session, input);
            case READ_MODIFY_WRITE -> new ReadModifyWrite(session, input);
          });
    }
    return transactions;
  }
}
