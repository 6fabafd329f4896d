package org.nelumbo.smallbank.engine;

import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.smallbank.terminal.Amounts;

/** Puts money into a customer's checking account. */
final class DepositChecking extends BankTransaction {
  DepositChecking(Bank bank) {
    super(bank, false);
  }

  @Override
  protected boolean run() {
    bank.findFirst();
    int checking = bank.addCheckingOfFirst(LockTable.WRITE);
    bank.read();
    bank.checking.add(bank.accounts, checking, Amounts.DEPOSIT);
    return true;
  }

  @Override
  public long broughtIn() {
    return Amounts.DEPOSIT;
  }
}
