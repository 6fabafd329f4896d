package org.nelumbo.smallbank.terminal;

import org.nelumbo.benchmark.terminal.TerminalTransaction;

/** A transaction that knows what it does to the money there is. */
public interface SmallBankTransaction extends TerminalTransaction {
  /**
   * Cents that the transaction executed last brought into the bank; negative if it took them out.
   * Known before its commit is asked for.
   */
  long broughtIn();
}
