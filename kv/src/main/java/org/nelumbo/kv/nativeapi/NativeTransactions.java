package org.nelumbo.kv.nativeapi;

import java.util.List;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.terminal.KeyInput;

/** Creates the two transactions of a terminal that uses the native API. */
public final class NativeTransactions {
  private NativeTransactions() {}

  /** Creates ReadOne and UpdateOne. */
  public static List<TerminalTransaction> of(NativeApiSession session, KeyInput input) {
    return List.of(new ReadOne(session, input), new UpdateOne(session, input));
  }
}
