package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.nativeapi.NumberColumn;
import org.nelumbo.database.NativeTable;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.smallbank.terminal.CustomerInput;

/**
 * The accounts on a native session. A transaction finds its customers in one batch, and reads their
 * accounts in another. A single customer or account is read without a batch.
 */
final class Bank {
  final NativeApiSession session;
  final CustomerInput input;
  final NumberColumn savings;
  final NumberColumn checking;

  /** The accounts of the current transaction, if it needs several. */
  final PointBatch accounts;

  /** The account of the current transaction, if it needs one. */
  final RowBuffer account = new RowBuffer();

  private final NativeTable savingsTable;
  private final NativeTable checkingTable;
  private final Names names;
  private long first;
  private long second;

  Bank(NativeApiSession session, CustomerInput input) {
    this.session = session;
    this.input = input;
    this.savingsTable = session.table("savings");
    this.checkingTable = session.table("checking");
    this.savings = new NumberColumn(session, savingsTable, "bal");
    this.checking = new NumberColumn(session, checkingTable, "bal");
    this.accounts = session.transaction.newPointBatch();
    this.names = input.named() ? new Names(session) : null;
  }

  /** Finds the first customer of the input. */
  void findFirst() {
    accounts.clear();
    first = names == null ? input.first() : names.find(input.firstName());
  }

  /** Finds both customers of the input. */
  void findBoth() {
    accounts.clear();
    if (names == null) {
      first = input.first();
      second = input.second();
    } else {
      names.find(input.firstName(), input.secondName());
      first = names.customer(0);
      second = names.customer(1);
    }
  }

  int addSavingsOfFirst(LockMode mode) {
    return session.add(accounts, savingsTable, mode, first);
  }

  int addCheckingOfFirst(LockMode mode) {
    return session.add(accounts, checkingTable, mode, first);
  }

  int addCheckingOfSecond() {
    return session.add(accounts, checkingTable, LockMode.WRITE, second);
  }

  /** Locks and reads the savings account of the first customer for a write. */
  void readSavingsOfFirst() {
    session.get(savingsTable, LockMode.WRITE, first, account);
  }

  /** Locks and reads the checking account of the first customer for a write. */
  void readCheckingOfFirst() {
    session.get(checkingTable, LockMode.WRITE, first, account);
  }

  /** Locks and reads the accounts in the batch. */
  void read() {
    session.execute(accounts);
  }

  /** The index of customers by name. */
  private static final class Names {
    private final NativeApiSession session;
    private final NativeTable table;
    private final NumberColumn number;
    private final PointBatch batch;
    private final RowBuffer row = new RowBuffer();

    Names(NativeApiSession session) {
      this.session = session;
      this.table = session.table("accounts");
      this.number = new NumberColumn(session, table, "custid");
      this.batch = session.transaction.newPointBatch();
    }

    long find(String name) {
      session.get(table, LockMode.READ, name, row);
      return number.of(row);
    }

    void find(String name, String other) {
      batch.clear();
      session.add(batch, table, LockMode.READ, name);
      session.add(batch, table, LockMode.READ, other);
      session.execute(batch);
    }

    long customer(int i) {
      return number.of(batch, i);
    }
  }
}
