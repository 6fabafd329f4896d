package org.nelumbo.kv;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.MixedWorkload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.benchmark.load.ParallelLoad;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.kv.jdbc.JdbcTransactions;
import org.nelumbo.kv.nativeapi.NativeTransactions;
import org.nelumbo.kv.terminal.KeyInput;

/** The key-value benchmark on one database. */
final class KvWorkload extends MixedWorkload {
  private static final List<String> TYPES = List.of("ReadOne", "UpdateOne");
  private static final int UPDATE_ONE = 1;
  private static final int PART = 100_000;

  private final KvSettings settings;
  private final Keys keys;
  private final Conditions conditions;

  KvWorkload(Database database, KvSettings settings) {
    super(database, JdbcTransactions.class, TYPES, settings.terminals());
    this.settings = settings;
    this.keys = settings.distribution();
    this.conditions =
        new Conditions(
            database(),
            SqlResource.load(KvWorkload.class, "conditions.sql"),
            Map.of("keys", Integer.toString(settings.keys())));
  }

  @Override
  public String name() {
    return "kv";
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
    database()
        .executeAll(
            SqlResource.load(KvWorkload.class, "schema.sql").statements(database().dialect()));
    List<ParallelLoad.Part> parts = new ArrayList<>();
    for (int from = 0; from < settings.keys(); from += PART) {
      int first = from;
      int end = Math.min(settings.keys() - first, PART) + first;
      parts.add(connection -> load(connection, progress, first, end));
    }
    ParallelLoad.run(database(), parts);
  }

  private void load(Connection connection, LoadProgress progress, int first, int end)
      throws SQLException {
    try (BatchInsert insert =
        new BatchInsert(connection, database().dialect(), progress, "kv", 6)) {
      for (long key = first; key < end; key++) {
        insert.add(key, key, 0L, 0L, 0L, 0L);
      }
    }
  }

  @Override
  protected int[] shares() {
    return new int[] {settings.readPercent(), 100 - settings.readPercent()};
  }

  @Override
  protected List<TerminalTransaction> transactions(JdbcSession session, RandomValues random)
      throws SQLException {
    return JdbcTransactions.of(session, new KeyInput(random, keys));
  }

  @Override
  protected List<TerminalTransaction> transactions(NativeApiSession session, RandomValues random) {
    return NativeTransactions.of(session, new KeyInput(random, keys));
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
            Conditions.number(database(), query).longValueExact(),
            "updates"));
    return results;
  }

  @Override
  public List<String> deviations() {
    return Deviations.of(settings);
  }
}
