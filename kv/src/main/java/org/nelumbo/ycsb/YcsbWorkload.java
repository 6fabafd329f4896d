package org.nelumbo.ycsb;

import java.sql.Connection;
import java.sql.SQLException;
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
import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.data.Zipf;
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
import org.nelumbo.ycsb.engine.EngineTransactions;
import org.nelumbo.ycsb.load.Loader;
import org.nelumbo.ycsb.load.RecordCheck;
import org.nelumbo.ycsb.terminal.Operation;
import org.nelumbo.ycsb.terminal.RecordInput;
import org.nelumbo.ycsb.terminal.Records;
import org.nelumbo.ycsb.transaction.JdbcTransactions;

/** A core workload of YCSB on one database. */
final class YcsbWorkload implements Workload {
  private final Database database;
  private final YcsbSettings settings;
  private final Keys keys;
  private final Zipf ages;
  private final Records records;
  private final StatementTexts texts;
  private final CostLedger costLedger;

  YcsbWorkload(Database database, YcsbSettings settings) {
    this.database = database;
    this.settings = settings;
    this.keys = settings.distribution();
    this.ages = settings.latest() ? new Zipf(settings.records(), settings.theta()) : null;
    this.records = new Records(settings.records());
    this.texts = new StatementTexts(database, JdbcTransactions.class);
    this.costLedger = new CostLedger(transactionTypes());
  }

  @Override
  public String name() {
    return "ycsb-" + settings.workload().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public List<String> transactionTypes() {
    return settings.workload().titles();
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("workload", settings.workload().name());
    parameters.put("records", Integer.toString(settings.records()));
    String skew = (settings.latest() ? "latest-" : "zipfian-") + settings.theta();
    parameters.put("draw", settings.uniform() ? "uniform" : skew);
    return parameters;
  }

  @Override
  public List<String> tables() {
    return List.of("usertable");
  }

  @Override
  public void load(LoadProgress progress) throws SQLException, InterruptedException {
    new Loader(database, settings.records(), settings.seed()).load(progress);
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) throws SQLException {
    long seed = (settings.seed() * 1_000_003 + index) * 1_009 + incarnation;
    RandomValues random = new RandomValues(seed);
    RecordInput input = new RecordInput(random, records, keys, ages, settings.scanLengthMax());
    List<Operation> operations = settings.workload().operations();
    if (settings.nativeApi()) {
      EngineSession session = new EngineSession(connection);
      return terminal(random, EngineTransactions.of(operations, session, input), session);
    }
    JdbcSession session = new JdbcSession(connection, texts);
    return terminal(random, JdbcTransactions.of(operations, session, input), session);
  }

  private Terminal terminal(
      RandomValues random, List<TerminalTransaction> transactions, TerminalSession session) {
    Deck deck = new Deck(random, settings.workload().shares());
    MixedTerminal terminal = new MixedTerminal(deck, transactions, session);
    return settings.counters()
        ? new CountingTerminal(terminal, terminal::cost, costLedger)
        : terminal;
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return RecordCheck.check(database, "after load", settings.records(), settings.records());
  }

  @Override
  public List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException {
    long least = settings.records();
    long most = least;
    int inserts = settings.workload().operations().indexOf(Operation.INSERT);
    if (inserts >= 0) {
      TypeStatistics inserted = statistics.types().get(inserts);
      least += inserted.committedInAll();
      most = least + inserted.unknownInAll();
    }
    return RecordCheck.check(database, "after run", least, most);
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
