package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/** Shows what a customer has in both accounts. Reads only. */
final class Balance extends BankTransaction {
  private long shown;

  Balance(Bank bank) {
    super(bank, true);
  }

  @Override
  protected boolean run() {
    bank.findFirst();
    int savings = bank.addSavingsOfFirst(LockMode.READ);
    int checking = bank.addCheckingOfFirst(LockMode.READ);
    bank.read();
    shown = bank.savings.of(bank.accounts, savings) + bank.checking.of(bank.accounts, checking);
    return true;
  }

  /** The sum shown last, in cents. */
  long shown() {
    return shown;
  }
}
