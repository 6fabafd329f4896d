package org.nelumbo.benchmark.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;

class CountingTerminalTest {
  private final CostLedger ledger = new CostLedger(List.of("one", "two"));

  /** A terminal whose every try costs one round trip and ten READs; the third try conflicts. */
  private static final class Scripted implements Terminal {
    private int tries;
    private int drawn = -1;

    Cost cost() {
      return new Cost(tries, 10L * tries, 0, 0, 0, 80L * tries, 0);
    }

    @Override
    public int draw() {
      drawn++;
      return drawn % 2;
    }

    @Override
    public Outcome execute() throws SQLException {
      tries++;
      if (tries == 3) {
        throw new SQLTransactionRollbackException("conflict", "40001");
      }
      return tries == 2 ? Outcome.ROLLED_BACK : Outcome.COMMITTED;
    }

    @Override
    public void close() {}
  }

  @Test
  void shouldCountOnlyTheTriesThatCommitted() throws SQLException {
    Scripted scripted = new Scripted();
    try (CountingTerminal terminal = new CountingTerminal(scripted, scripted::cost, ledger)) {
      terminal.draw();
      assertEquals(Outcome.COMMITTED, terminal.execute());
      terminal.draw();
      assertEquals(Outcome.ROLLED_BACK, terminal.execute());
      terminal.draw();
      assertThrows(SQLException.class, terminal::execute);
      assertEquals(Outcome.COMMITTED, terminal.execute());
    }
    assertEquals(new TypeCost("one", 2, 1, 10, 0, 0, 0, 80, 0), ledger.means().get(0));
    assertEquals(new TypeCost("two", 0, 0, 0, 0, 0, 0, 0, 0), ledger.means().get(1));
  }

  @Test
  void shouldAddUpAllTerminals() throws SQLException {
    for (int i = 0; i < 3; i++) {
      Scripted scripted = new Scripted();
      CountingTerminal terminal = new CountingTerminal(scripted, scripted::cost, ledger);
      terminal.draw();
      terminal.execute();
    }
    assertEquals(3, ledger.means().getFirst().transactions());
  }
}
