package org.nelumbo.tatp;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.Workload;
import org.nelumbo.benchmark.check.CheckResult;
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
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.benchmark.terminal.MixedTerminal;
import org.nelumbo.benchmark.terminal.TerminalSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.check.Checks;
import org.nelumbo.tatp.engine.EngineTransactions;
import org.nelumbo.tatp.load.Loaded;
import org.nelumbo.tatp.load.Loader;
import org.nelumbo.tatp.terminal.Inputs;
import org.nelumbo.tatp.terminal.Subscribers;
import org.nelumbo.tatp.terminal.TransactionType;
import org.nelumbo.tatp.transaction.JdbcTransactions;

/** TATP on one database. */
final class TatpWorkload implements Workload {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final TatpSettings settings;
  private final Subscribers subscribers;
  private final StatementTexts texts;
  private final Checks checks;
  private final CostLedger costLedger = new CostLedger(TransactionType.titles());
  private Loaded loaded = Loaded.NONE;

  TatpWorkload(Database database, TatpSettings settings) {
    this.database = database;
    this.settings = settings;
    this.subscribers = new Subscribers(settings.subscribers(), settings.uniform());
    this.texts = new StatementTexts(database, JdbcTransactions.class);
    this.checks = new Checks(database);
  }

  @Override
  public String name() {
    return "tatp";
  }

  @Override
  public List<String> transactionTypes() {
    return TransactionType.titles();
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("subscribers", Integer.toString(settings.subscribers()));
    parameters.put("draw", settings.uniform() ? "uniform" : "skewed");
    return parameters;
  }

  @Override
  public List<String> tables() {
    return Loader.TABLES;
  }

  @Override
  public void load(LoadProgress progress) throws SQLException, InterruptedException {
    loaded = new Loader(database, settings.subscribers(), settings.seed()).load(progress);
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) throws SQLException {
    long seed = (settings.seed() * 1_000_003 + index) * 1_009 + incarnation;
    RandomValues random = new RandomValues(seed);
    Inputs inputs = new Inputs(random, subscribers);
    if (settings.nativeApi()) {
      EngineSession session = new EngineSession(connection);
      return terminal(random, EngineTransactions.of(session, inputs), session);
    }
    JdbcSession session = new JdbcSession(connection, texts);
    return terminal(random, JdbcTransactions.of(session, inputs), session);
  }

  private Terminal terminal(
      RandomValues random, List<TerminalTransaction> transactions, TerminalSession session) {
    Deck deck = new Deck(random, TransactionType.shares());
    MixedTerminal terminal = new MixedTerminal(deck, transactions, session);
    return settings.counters()
        ? new CountingTerminal(terminal, terminal::cost, costLedger)
        : terminal;
  }

  /** Only an insert may fail with an error, and only if the row is there or its facility is not. */
  @Override
  public boolean allows(int type, SQLException error) {
    return type == TransactionType.INSERT_CALL_FORWARDING.ordinal()
        && database.dialect().duplicateOrOrphan(error);
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return checks.afterLoad(settings.subscribers());
  }

  @Override
  public List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException {
    return checks.afterRun(loaded, statistics);
  }

  @Override
  public List<Metric> metrics(RunStatistics statistics) {
    List<Metric> metrics = new ArrayList<>();
    double seconds = statistics.measured().toNanos() / NANOS_PER_SECOND;
    metrics.add(
        new Metric(
            "mqth",
            "qualified transactions/s (TATP-derived mean qualified throughput)",
            statistics.total().committed() / seconds));
    for (TransactionType type : TransactionType.values()) {
      TypeStatistics ended = statistics.types().get(type.ordinal());
      long all = ended.committed() + ended.rolledBack();
      metrics.add(
          new Metric(
              "success_" + type.name().toLowerCase(Locale.ROOT),
              "% of " + type + " succeeded, expected " + type.successPercent(),
              all == 0 ? 0 : 100.0 * ended.committed() / all));
    }
    return metrics;
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
