package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.smallbank.terminal.Amounts;

/**
 * Deducts a check from a customer's checking account, with a penalty if both accounts together do
 * not cover it.
 */
final class WriteCheck extends BankTransaction {
  private long taken;

  WriteCheck(Bank bank) {
    super(bank, false);
  }

  @Override
  protected boolean run() {
    bank.findFirst();
    int savings = bank.addSavingsOfFirst(LockMode.READ);
    int checking = bank.addCheckingOfFirst(LockMode.WRITE);
    bank.read();
    long both = bank.savings.of(bank.accounts, savings) + bank.checking.of(bank.accounts, checking);
    taken = both < Amounts.CHECK ? Amounts.CHECK + Amounts.PENALTY : Amounts.CHECK;
    bank.checking.add(bank.accounts, checking, -taken);
    return true;
  }

  @Override
  public long broughtIn() {
    return -taken;
  }
}
