package org.nelumbo.smallbank.nativeapi;

import java.util.List;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Creates the six transactions of a terminal that uses the native API. */
public final class NativeTransactions {
  private NativeTransactions() {}

  /** Creates one transaction of each type, in the order of the types. */
  public static List<SmallBankTransaction> of(NativeApiSession session, CustomerInput input) {
    Bank bank = new Bank(session, input);
    return List.of(
        new Amalgamate(bank),
        new Balance(bank),
        new DepositChecking(bank),
        new SendPayment(bank),
        new TransactSavings(bank),
        new WriteCheck(bank));
  }
}
