package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/** Reads the sum of both accounts of a customer. Reads only. */
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

  /** Returns the sum that the last run read, in cents. */
  long shown() {
    return shown;
  }
}
