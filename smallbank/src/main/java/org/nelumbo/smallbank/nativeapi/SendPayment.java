package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.smallbank.terminal.Amounts;

/** Sends money from one checking account to another, unless the balance is too low. */
final class SendPayment extends BankTransaction {
  SendPayment(Bank bank) {
    super(bank, false);
  }

  @Override
  public void draw() {
    bank.input.drawTwo();
  }

  @Override
  protected boolean run() {
    bank.findBoth();
    int sender = bank.addCheckingOfFirst(LockMode.WRITE);
    int receiver = bank.addCheckingOfSecond();
    bank.read();
    if (bank.checking.of(bank.accounts, sender) < Amounts.PAYMENT) {
      return false;
    }
    bank.checking.add(bank.accounts, sender, -Amounts.PAYMENT);
    bank.checking.add(bank.accounts, receiver, Amounts.PAYMENT);
    return true;
  }
}
