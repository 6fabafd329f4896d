package org.nelumbo.kv;

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
import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.engine.EngineSession;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.benchmark.load.ParallelLoad;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.benchmark.terminal.Deck;
import org.nelumbo.benchmark.terminal.MixedTerminal;
import org.nelumbo.benchmark.terminal.TerminalSession;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.engine.EngineTransactions;
import org.nelumbo.kv.transaction.JdbcTransactions;
import org.nelumbo.kv.transaction.KeyInput;

/** The key-value benchmark on one database. */
final class KvWorkload implements Workload {
  private static final List<String> TYPES = List.of("ReadOne", "UpdateOne");
  private static final int UPDATE_ONE = 1;
  private static final int PART = 100_000;

  private final Database database;
  private final KvSettings settings;
  private final Keys keys;
  private final StatementTexts texts;
  private final Conditions conditions;
  private final CostLedger costLedger = new CostLedger(TYPES);

  KvWorkload(Database database, KvSettings settings) {
    this.database = database;
    this.settings = settings;
    this.keys = settings.distribution();
    this.texts = new StatementTexts(database, JdbcTransactions.class);
    this.conditions =
        new Conditions(
            database,
            SqlResource.load(KvWorkload.class, "conditions.sql"),
            Map.of("keys", Integer.toString(settings.keys())));
  }

  @Override
  public String name() {
    return "kv";
  }

  @Override
  public List<String> transactionTypes() {
    return TYPES;
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("keys", Integer.toString(settings.keys()));
    parameters.put("read_percent", Integer.toString(settings.readPercent()));
    parameters.put("draw", settings.uniform() ? "uniform" : "zipfian-" + settings.theta());
    return parameters;
  }

  @Override
  public List<String> tables() {
    return List.of("kv");
  }

  @Override
  public void load(LoadProgress progress) throws SQLException, InterruptedException {
    progress.expect(settings.keys());
    database.executeAll(
        SqlResource.load(KvWorkload.class, "schema.sql").statements(database.dialect()));
    List<ParallelLoad.Part> parts = new ArrayList<>();
    for (int from = 0; from < settings.keys(); from += PART) {
      int first = from;
      int end = Math.min(settings.keys() - first, PART) + first;
      parts.add(connection -> load(connection, progress, first, end));
    }
    ParallelLoad.run(database, parts);
  }

  private void load(Connection connection, LoadProgress progress, int first, int end)
      throws SQLException {
    try (BatchInsert insert = new BatchInsert(connection, database.dialect(), progress, "kv", 6)) {
      for (long key = first; key < end; key++) {
        insert.add(key, key, 0L, 0L, 0L, 0L);
      }
    }
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) throws SQLException {
    long seed = (settings.seed() * 1_000_003 + index) * 1_009 + incarnation;
    RandomValues random = new RandomValues(seed);
    KeyInput input = new KeyInput(random, keys);
    if (settings.nativeApi()) {
      EngineSession session = new EngineSession(connection);
      return terminal(random, EngineTransactions.of(session, input), session);
    }
    JdbcSession session = new JdbcSession(connection, texts);
    return terminal(random, JdbcTransactions.of(session, input), session);
  }

  private Terminal terminal(
      RandomValues random, List<TerminalTransaction> transactions, TerminalSession session) {
    Deck deck = new Deck(random, settings.readPercent(), 100 - settings.readPercent());
    MixedTerminal terminal = new MixedTerminal(deck, transactions, session);
    return settings.counters()
        ? new CountingTerminal(terminal, terminal::cost, costLedger)
        : terminal;
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return conditions.check(conditions.names(), "after load");
  }

  @Override
  public List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException {
    String moment = "after run";
    List<CheckResult> results = new ArrayList<>(conditions.check(conditions.names(), moment));
    TypeStatistics updates = statistics.types().get(UPDATE_ONE);
    String query = SqlResource.load(KvWorkload.class, "ledger.sql").statement("updates");
    results.add(
        Conditions.between(
            "ledger: sum of counters = updates committed",
            moment,
            updates.committedInAll(),
            updates.committedInAll() + updates.unknownInAll(),
            Conditions.number(database, query).longValueExact(),
            "updates"));
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
