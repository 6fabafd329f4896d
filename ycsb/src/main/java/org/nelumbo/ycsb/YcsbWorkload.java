package org.nelumbo.ycsb;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.MixedWorkload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.data.Zipf;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.ycsb.jdbc.JdbcTransactions;
import org.nelumbo.ycsb.load.Loader;
import org.nelumbo.ycsb.load.RecordCheck;
import org.nelumbo.ycsb.nativeapi.NativeTransactions;
import org.nelumbo.ycsb.terminal.Operation;
import org.nelumbo.ycsb.terminal.RecordInput;
import org.nelumbo.ycsb.terminal.Records;

/** A core workload of YCSB on one database. */
final class YcsbWorkload extends MixedWorkload {
  private final YcsbSettings settings;
  private final Keys keys;
  private final Zipf ages;
  private final Records records;

  YcsbWorkload(Database database, YcsbSettings settings) {
    super(database, JdbcTransactions.class, settings.workload().titles(), settings.terminals());
    this.settings = settings;
    this.keys = settings.distribution();
    this.ages = settings.latest() ? new Zipf(settings.records(), settings.theta()) : null;
    this.records = new Records(settings.records());
  }

  @Override
  public String name() {
    return "ycsb-" + settings.workload().name().toLowerCase(Locale.ROOT);
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
    new Loader(database(), settings.records(), settings.terminals().seed()).load(progress);
  }

  @Override
  protected int[] shares() {
    return settings.workload().shares();
  }

  @Override
  protected List<TerminalTransaction> transactions(JdbcSession session, RandomValues random)
      throws SQLException {
    return JdbcTransactions.of(settings.workload().operations(), session, input(random));
  }

  @Override
  protected List<TerminalTransaction> transactions(NativeApiSession session, RandomValues random) {
    return NativeTransactions.of(settings.workload().operations(), session, input(random));
  }

  private RecordInput input(RandomValues random) {
    return new RecordInput(random, records, keys, ages, settings.scanLengthMax());
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return RecordCheck.check(database(), "after load", settings.records(), settings.records());
  }

  @Override
  public String whyOneProcess() {
    return settings.workload().operations().contains(Operation.INSERT)
        ? "the inserting process numbers new records, so only one process can insert: choose a"
            + " workload without inserts"
        : "";
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
    return RecordCheck.check(database(), "after run", least, most);
  }

  @Override
  public List<String> deviations() {
    return Deviations.of(settings);
  }
}
