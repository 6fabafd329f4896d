package org.nelumbo.benchmark.terminal;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;

/** A terminal that deals transaction types from a deck and runs one after the other. */
public final class MixedTerminal implements Terminal {
  private final Deck deck;
  private final TerminalTransaction[] transactions;
  private final TerminalSession session;
  private TerminalTransaction current;

  /**
   * Creates a terminal.
   *
   * @param transactions one transaction of each type, in the order of the deck's shares
   * @param session the session, which is closed with the terminal
   */
  public MixedTerminal(
      Deck deck, List<? extends TerminalTransaction> transactions, TerminalSession session) {
    this.deck = deck;
    this.transactions = transactions.toArray(TerminalTransaction[]::new);
    this.session = session;
  }

  /** Returns the cost that the terminal's session has caused; only for sessions that count it. */
  public Cost cost() throws SQLException {
    return session.cost();
  }

  @Override
  public int draw() {
    int type = deck.deal();
    current = transactions[type];
    current.draw();
    return type;
  }

  @Override
  public Outcome execute() throws SQLException {
    return current.execute();
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }
}
