package org.nelumbo.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.cost.CostLedger;
import org.nelumbo.benchmark.cost.CountingTerminal;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.benchmark.terminal.MixedTerminal;
import org.nelumbo.benchmark.terminal.TerminalSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;

/**
 * A benchmark whose terminals deal transaction types from a deck and run them as SQL or as key
 * operations. The same seed gives the same inputs to both.
 */
public abstract class MixedWorkload implements Workload {
  private final Database database;
  private final TerminalSettings run;
  private final List<String> types;
  private final StatementTexts texts;
  private final CostLedger costLedger;

  /**
   * Creates a workload.
   *
   * @param statements class whose package contains the SQL resources of the transactions
   * @param types names of the transaction types
   */
  protected MixedWorkload(
      Database database, Class<?> statements, List<String> types, TerminalSettings run) {
    this.database = database;
    this.run = run;
    this.types = List.copyOf(types);
    this.texts = new StatementTexts(database, statements);
    this.costLedger = new CostLedger(types);
  }

  /** Returns the number of cards of each type in a terminal's deck. */
  protected abstract int[] shares();

  /** Creates the transactions of a terminal as SQL, in the order of the types. */
  protected abstract List<? extends TerminalTransaction> transactions(
      JdbcSession session, RandomValues random) throws SQLException;

  /** Creates the transactions of a terminal as key operations, in the order of the types. */
  protected abstract List<? extends TerminalTransaction> transactions(
      NativeApiSession session, RandomValues random);

  protected final Database database() {
    return database;
  }

  @Override
  public final List<String> transactionTypes() {
    return types;
  }

  @Override
  public final Terminal open(Connection connection, int index, int incarnation)
      throws SQLException {
    RandomValues random = new RandomValues(seed(run.seed(), index, incarnation));
    if (run.nativeApi()) {
      NativeApiSession session = new NativeApiSession(connection);
      return terminal(random, transactions(session, random), session);
    }
    JdbcSession session = new JdbcSession(connection, texts);
    return terminal(random, transactions(session, random), session);
  }

  /** Returns the seed of a terminal. It differs after each reconnection. */
  public static long seed(long ofRun, int index, int incarnation) {
    return (ofRun * 1_000_003 + index) * 1_009 + incarnation;
  }

  private Terminal terminal(
      RandomValues random,
      List<? extends TerminalTransaction> transactions,
      TerminalSession session) {
    MixedTerminal terminal = new MixedTerminal(new Deck(random, shares()), transactions, session);
    return run.counters() ? new CountingTerminal(terminal, terminal::cost, costLedger) : terminal;
  }

  @Override
  public List<Metric> metrics(RunStatistics statistics) {
    return List.of();
  }

  @Override
  public final List<TypeCost> costs() {
    return run.counters() ? costLedger.means() : List.of();
  }

  @Override
  public final List<String> remarks() {
    return run.nativeApi() ? List.of() : texts.remarks();
  }
}
