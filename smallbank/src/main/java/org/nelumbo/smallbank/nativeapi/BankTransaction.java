package org.nelumbo.smallbank.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeTransaction;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** A transaction on the accounts. */
abstract class BankTransaction extends NativeTransaction implements SmallBankTransaction {
  final Bank bank;

  BankTransaction(Bank bank, boolean readOnly) {
    super(bank.session, readOnly);
    this.bank = bank;
  }

  @Override
  public void draw() {
    bank.input.drawOne();
  }

  @Override
  public long broughtIn() {
    return 0;
  }
}
