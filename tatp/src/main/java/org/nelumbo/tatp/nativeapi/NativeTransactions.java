package org.nelumbo.tatp.nativeapi;

import java.util.List;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.terminal.Inputs;

/** Creates the seven transactions of a terminal that uses the native API. */
public final class NativeTransactions {
  private NativeTransactions() {}

  /** Creates one transaction of each type, in the order of the types. */
  public static List<TerminalTransaction> of(NativeApiSession session, Inputs inputs) {
    Register register = new Register(session, inputs);
    return List.of(
        new GetSubscriberData(register),
        new GetNewDestination(register),
        new GetAccessData(register),
        new UpdateSubscriberData(register),
        new UpdateLocation(register),
        new InsertCallForwarding(register),
        new DeleteCallForwarding(register));
  }
}
