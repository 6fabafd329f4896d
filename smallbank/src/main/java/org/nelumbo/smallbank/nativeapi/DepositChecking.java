package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.smallbank.terminal.Amounts;

/** Deposits money to a customer's checking account. */
final class DepositChecking extends BankTransaction {
  DepositChecking(Bank bank) {
    super(bank, false);
  }

  @Override
  protected boolean run() {
    bank.findFirst();
    bank.readCheckingOfFirst();
    bank.checking.set(bank.account, bank.checking.of(bank.account) + Amounts.DEPOSIT);
    return true;
  }

  @Override
  public long broughtIn() {
    return Amounts.DEPOSIT;
  }
}
