package org.nelumbo.kv.engine;

import java.util.List;
import org.nelumbo.benchmark.engine.EngineSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.transaction.KeyInput;

/** Makes the two transactions of a terminal that speaks the native API. */
public final class EngineTransactions {
  private EngineTransactions() {}

  /** ReadOne and UpdateOne. */
  public static List<TerminalTransaction> of(EngineSession session, KeyInput input) {
    return List.of(new ReadOne(session, input), new UpdateOne(session, input));
  }
}
