package org.nelumbo.benchmark.cost;

import java.sql.SQLException;
import java.util.Arrays;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;

/** Counts the cost of each committed transaction of another terminal. */
public final class CountingTerminal implements Terminal {
  private final Terminal terminal;
  private final CostSource source;
  private final Cost[] sums;
  private final long[] committed;
  private int type;

  /**
   * Creates a terminal that reads the costs of the other terminal from the source and registers
   * itself with the ledger.
   */
  public CountingTerminal(Terminal terminal, CostSource source, CostLedger ledger) {
    this.terminal = terminal;
    this.source = source;
    this.sums = new Cost[ledger.types()];
    this.committed = new long[ledger.types()];
    Arrays.fill(sums, Cost.NONE);
    ledger.add(this);
  }

  Cost sum(int ofType) {
    return sums[ofType];
  }

  long committed(int ofType) {
    return committed[ofType];
  }

  @Override
  public int draw() {
    type = terminal.draw();
    return type;
  }

  @Override
  public Outcome execute() throws SQLException {
    Cost before = source.read();
    Outcome outcome = terminal.execute();
    if (outcome == Outcome.COMMITTED) {
      sums[type] = sums[type].plus(source.read().minus(before));
      committed[type]++;
    }
    return outcome;
  }

  @Override
  public long keyingNanos() {
    return terminal.keyingNanos();
  }

  @Override
  public long thinkNanos() {
    return terminal.thinkNanos();
  }

  @Override
  public void close() throws SQLException {
    terminal.close();
  }
}
