package org.nelumbo.smallbank;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.Workload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
import org.nelumbo.benchmark.cost.CostLedger;
import org.nelumbo.benchmark.cost.CountingTerminal;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.engine.EngineSession;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.benchmark.terminal.MixedTerminal;
import org.nelumbo.benchmark.terminal.TerminalSession;
import org.nelumbo.smallbank.check.Ledger;
import org.nelumbo.smallbank.engine.EngineTransactions;
import org.nelumbo.smallbank.load.Loader;
import org.nelumbo.smallbank.terminal.Book;
import org.nelumbo.smallbank.terminal.BookedTransaction;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;
import org.nelumbo.smallbank.terminal.TransactionType;
import org.nelumbo.smallbank.transaction.JdbcTransactions;

/** SmallBank on one database. */
final class SmallBankWorkload implements Workload {
  private final Database database;
  private final SmallBankSettings settings;
  private final StatementTexts texts;
  private final Conditions conditions;
  private final Ledger ledger;
  private final CostLedger costLedger = new CostLedger(TransactionType.titles());

  SmallBankWorkload(Database database, SmallBankSettings settings) {
    this.database = database;
    this.settings = settings;
    this.texts = new StatementTexts(database, JdbcTransactions.class);
    this.conditions = Ledger.conditions(database, settings.customers().count(), settings.compat());
    this.ledger = new Ledger(database);
  }

  @Override
  public String name() {
    return settings.compat() ? "smallbank-compat" : "smallbank";
  }

  @Override
  public List<String> transactionTypes() {
    return TransactionType.titles();
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("accounts", Integer.toString(settings.customers().count()));
    parameters.put("hot_accounts", Integer.toString(settings.customers().hot()));
    parameters.put("hot_probability", Integer.toString(settings.customers().hotPercent()));
    parameters.put("variant", settings.compat() ? "compat" : "full");
    return parameters;
  }

  @Override
  public List<String> tables() {
    return Loader.tables(settings.compat());
  }

  @Override
  public void load(LoadProgress progress) throws SQLException, InterruptedException {
    int count = settings.customers().count();
    Loader loader = new Loader(database, count, settings.compat(), settings.seed());
    ledger.loaded(loader.load(progress));
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) throws SQLException {
    long seed = (settings.seed() * 1_000_003 + index) * 1_009 + incarnation;
    RandomValues random = new RandomValues(seed);
    CustomerInput input = new CustomerInput(random, settings.customers(), !settings.compat());
    if (settings.nativeApi()) {
      EngineSession session = new EngineSession(connection);
      return terminal(random, EngineTransactions.of(session, input), session);
    }
    JdbcSession session = new JdbcSession(connection, texts);
    return terminal(random, JdbcTransactions.of(session, input), session);
  }

  private Terminal terminal(
      RandomValues random, List<SmallBankTransaction> transactions, TerminalSession session) {
    Book book = ledger.openBook();
    List<BookedTransaction> booked =
        transactions.stream()
            .map(transaction -> new BookedTransaction(transaction, book, database.dialect()))
            .toList();
    Deck deck = new Deck(random, TransactionType.shares());
    MixedTerminal terminal = new MixedTerminal(deck, booked, session);
    return settings.counters()
        ? new CountingTerminal(terminal, terminal::cost, costLedger)
        : terminal;
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return check("after load");
  }

  @Override
  public List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException {
    return check("after run");
  }

  private List<CheckResult> check(String moment) throws SQLException {
    List<CheckResult> results = new ArrayList<>(conditions.check(conditions.names(), moment));
    results.add(ledger.check(moment));
    return results;
  }

  @Override
  public List<Metric> metrics(RunStatistics statistics) {
    return List.of();
  }

  @Override
  public List<TypeCost> costs() {
    return settings.counters() ? costLedger.means() : List.of();
  }

  @Override
  public List<String> deviations() {
    return Deviations.of(settings);
  }

  @Override
  public List<String> remarks() {
    return settings.nativeApi() ? List.of() : texts.remarks();
  }
}
