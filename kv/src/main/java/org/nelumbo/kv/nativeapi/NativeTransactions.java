package org.nelumbo.kv.nativeapi;

import java.util.List;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.terminal.KeyInput;

/** Makes the two transactions of a terminal that speaks the native API. */
public final class NativeTransactions {
  private NativeTransactions() {}

  /** ReadOne and UpdateOne. */
  public static List<TerminalTransaction> of(NativeApiSession session, KeyInput input) {
    return List.of(new ReadOne(session, input), new UpdateOne(session, input));
  }
}
