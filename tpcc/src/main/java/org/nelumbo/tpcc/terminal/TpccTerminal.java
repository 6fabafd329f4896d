package org.nelumbo.tpcc.terminal;

import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.cost.Cost;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.benchmark.terminal.TerminalSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * A terminal that deals transaction types and runs them, optionally with keying and think times.
 */
public final class TpccTerminal implements Terminal {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Factor of the mean at which think times are cut off, clause 5.2.5.4. */
  private static final double THINK_CUT = 10;

  private static final TransactionType[] TYPES = TransactionType.values();

  private final TerminalSession session;
  private final TpccRandom random;
  private final Deck deck;
  private final TerminalTransaction[] transactions;
  private final boolean userTimes;
  private TransactionType current = TransactionType.NEW_ORDER;

  /**
   * Creates a terminal.
   *
   * @param deck deck that deals the types
   * @param transactions one transaction of each type, in the order of {@link TransactionType}
   * @param session the session, which is closed with the terminal
   * @param userTimes true if the terminal waits for keying and think times
   */
  public TpccTerminal(
      TpccRandom random,
      Deck deck,
      List<? extends TerminalTransaction> transactions,
      TerminalSession session,
      boolean userTimes) {
    this.random = random;
    this.deck = deck;
    this.transactions = transactions.toArray(TerminalTransaction[]::new);
    this.session = session;
    this.userTimes = userTimes;
  }

  /** Returns the cost that the terminal's session has caused; only for sessions that count it. */
  public Cost cost() throws SQLException {
    return session.cost();
  }

  @Override
  public int draw() {
    int type = deck.deal();
    current = TYPES[type];
    transactions[type].draw();
    return type;
  }

  @Override
  public Outcome execute() throws SQLException {
    return transactions[current.ordinal()].execute();
  }

  @Override
  public long keyingNanos() {
    return userTimes ? (long) (current.keyingSeconds() * NANOS_PER_SECOND) : 0;
  }

  @Override
  public long thinkNanos() {
    if (!userTimes) {
      return 0;
    }
    double means = Math.min(-Math.log(random.fraction()), THINK_CUT);
    return (long) (means * current.thinkSecondsMean() * NANOS_PER_SECOND);
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }
}
