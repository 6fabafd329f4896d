package org.nelumbo.tatp;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.MixedWorkload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;
import org.nelumbo.benchmark.terminal.TerminalTransaction;
import org.nelumbo.tatp.check.Checks;
import org.nelumbo.tatp.jdbc.JdbcTransactions;
import org.nelumbo.tatp.load.Loaded;
import org.nelumbo.tatp.load.Loader;
import org.nelumbo.tatp.nativeapi.NativeTransactions;
import org.nelumbo.tatp.terminal.Inputs;
import org.nelumbo.tatp.terminal.Subscribers;
import org.nelumbo.tatp.terminal.TransactionType;

/** TATP on one database. */
final class TatpWorkload extends MixedWorkload {
  private static final double NANOS_PER_SECOND = 1e9;

  private final TatpSettings settings;
  private final Subscribers subscribers;
  private final Checks checks;
  private Loaded loaded = Loaded.NONE;

  TatpWorkload(Database database, TatpSettings settings) {
    super(database, JdbcTransactions.class, TransactionType.titles(), settings.terminals());
    this.settings = settings;
    this.subscribers = new Subscribers(settings.subscribers(), settings.uniform());
    this.checks = new Checks(database);
  }

  @Override
  public String name() {
    return "tatp";
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
    loaded =
        new Loader(database(), settings.subscribers(), settings.terminals().seed()).load(progress);
  }

  @Override
  protected int[] shares() {
    return TransactionType.shares();
  }

  @Override
  protected List<TerminalTransaction> transactions(JdbcSession session, RandomValues random)
      throws SQLException {
    return JdbcTransactions.of(session, new Inputs(random, subscribers));
  }

  @Override
  protected List<TerminalTransaction> transactions(NativeApiSession session, RandomValues random) {
    return NativeTransactions.of(session, new Inputs(random, subscribers));
  }

  /**
   * Returns true for an error of an insert if the row already exists or its facility is missing.
   */
  @Override
  public boolean allows(int type, SQLException error) {
    return type == TransactionType.INSERT_CALL_FORWARDING.ordinal()
        && database().dialect().duplicateOrOrphan(error);
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
  public List<String> deviations() {
    return Deviations.of(settings);
  }
}
