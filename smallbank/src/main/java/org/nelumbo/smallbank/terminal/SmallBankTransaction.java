package org.nelumbo.smallbank.terminal;

import org.nelumbo.benchmark.terminal.TerminalTransaction;

/** A transaction that reports its effect on the money in the bank. */
public interface SmallBankTransaction extends TerminalTransaction {
  /**
   * Returns the cents that the last executed transaction brought into the bank, negative if it
   * withdrew them. The value is available before the commit.
   */
  long broughtIn();
}
