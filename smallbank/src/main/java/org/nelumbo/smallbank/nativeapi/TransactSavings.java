package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.smallbank.terminal.Amounts;

/**
 * Deposits money to a customer's savings account or withdraws it, unless that would overdraw the
 * account.
 */
final class TransactSavings extends BankTransaction {
  private long amount;

  TransactSavings(Bank bank) {
    super(bank, false);
  }

  @Override
  public void draw() {
    super.draw();
    amount = bank.input.withdraws() ? -Amounts.TRANSACTION : Amounts.TRANSACTION;
  }

  @Override
  protected boolean run() {
    bank.findFirst();
    bank.readSavingsOfFirst();
    long balance = bank.savings.of(bank.account) + amount;
    if (balance < 0) {
      return false;
    }
    bank.savings.set(bank.account, balance);
    return true;
  }

  @Override
  public long broughtIn() {
    return amount;
  }
}
