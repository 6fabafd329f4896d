package org.nelumbo.ycsb.nativeapi;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.terminal.Operation;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Creates the transactions of a terminal that uses the native API. */
public final class NativeTransactions {
  private NativeTransactions() {}

  /** Creates one transaction for each operation, in their order. */
  public static List<TerminalTransaction> of(
      List<Operation> operations, NativeApiSession session, RecordInput input) {
    UserTable table = new UserTable(session, input);
    List<TerminalTransaction> transactions = new ArrayList<>();
    for (Operation operation : operations) {
      transactions.add(
          switch (operation) {
            case READ -> new Read(table);
            case UPDATE -> new Update(table, false);
            case SCAN -> new Scan(table);
            case INSERT -> new Insert(table);
            case READ_MODIFY_WRITE -> new Update(table, true);
          });
    }
    return transactions;
  }
}
