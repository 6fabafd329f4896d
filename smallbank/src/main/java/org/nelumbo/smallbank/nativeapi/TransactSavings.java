package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.smallbank.terminal.Amounts;

/** Puts money into a customer's savings account or takes it out, unless that would overdraw it. */
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
