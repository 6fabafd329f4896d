package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/** Moves the balances of both accounts of one customer to the checking account of another. */
final class Amalgamate extends BankTransaction {
  Amalgamate(Bank bank) {
    super(bank, false);
  }

  @Override
  public void draw() {
    bank.input.drawTwo();
  }

  @Override
  protected boolean run() {
    bank.findBoth();
    int savings = bank.addSavingsOfFirst(LockMode.WRITE);
    int checking = bank.addCheckingOfFirst(LockMode.WRITE);
    int taker = bank.addCheckingOfSecond();
    bank.read();
    long sum = bank.savings.of(bank.accounts, savings) + bank.checking.of(bank.accounts, checking);
    bank.savings.set(bank.accounts, savings, 0);
    bank.checking.set(bank.accounts, checking, 0);
    bank.checking.add(bank.accounts, taker, sum);
    return true;
  }
}
