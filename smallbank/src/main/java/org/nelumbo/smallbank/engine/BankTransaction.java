package org.nelumbo.smallbank.engine;

import org.nelumbo.benchmark.engine.EngineTransaction;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** A transaction on the accounts. */
abstract class BankTransaction extends EngineTransaction implements SmallBankTransaction {
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
