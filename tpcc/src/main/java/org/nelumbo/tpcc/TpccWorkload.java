package org.nelumbo.tpcc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.MixedWorkload;
import org.nelumbo.benchmark.Workload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.CostLedger;
import org.nelumbo.benchmark.cost.CountingTerminal;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.jdbc.StatementTexts;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.Terminal;
import org.nelumbo.tpcc.check.ConsistencyConditions;
import org.nelumbo.tpcc.check.Ledger;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.TpccRandom;
import org.nelumbo.tpcc.jdbc.JdbcTerminals;
import org.nelumbo.tpcc.load.Loader;
import org.nelumbo.tpcc.nativeapi.NativeTerminals;
import org.nelumbo.tpcc.terminal.Home;
import org.nelumbo.tpcc.terminal.TpccTerminal;
import org.nelumbo.tpcc.terminal.TransactionType;

/** TPC-C on one database. */
final class TpccWorkload implements Workload {
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final TpccSettings settings;
  private final NuRandConstants constants;
  private final StatementTexts texts;
  private final ConsistencyConditions conditions;
  private final CostLedger costLedger = new CostLedger(TransactionType.titles());

  TpccWorkload(Database database, TpccSettings settings) {
    this.database = database;
    this.settings = settings;
    this.constants = NuRandConstants.of(settings.terminals().seed());
    this.texts = new StatementTexts(database, JdbcTerminals.class);
    this.conditions = new ConsistencyConditions(database, settings.population(), settings.compat());
  }

  @Override
  public String name() {
    return settings.compat() ? "tpcc-compat" : "tpcc";
  }

  @Override
  public List<String> transactionTypes() {
    return TransactionType.titles();
  }

  @Override
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("warehouses", Integer.toString(settings.warehouses()));
    parameters.put("variant", settings.compat() ? "compat" : "full");
    parameters.put("population", settings.population().name());
    parameters.put("keying_think", settings.keyingThink() ? "on" : "off");
    parameters.put("foreign_keys", settings.foreignKeys() ? "on" : "off");
    if (!settings.terminals().nativeApi()) {
      parameters.put("order_lines", linesTogether() ? "together" : "single");
    }
    return parameters;
  }

  @Override
  public List<String> tables() {
    return Loader.TABLES;
  }

  @Override
  public void load(LoadProgress progress) throws SQLException, InterruptedException {
    if (settings.foreignKeys() && !database.dialect().addsForeignKeys()) {
      throw new SQLException(
          database.productName() + " cannot add foreign keys to a table: leave out --foreign-keys",
          "0A000");
    }
    new Loader(database, settings.population(), settings.warehouses(), settings.terminals().seed())
        .load(progress, settings.foreignKeys());
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) throws SQLException {
    long seed = MixedWorkload.seed(settings.terminals().seed(), index, incarnation);
    Home home =
        Home.ofTerminal(index, settings.warehouses(), settings.population(), settings.compat());
    TpccRandom random = new TpccRandom(seed, constants);
    TpccTerminal terminal =
        settings.terminals().nativeApi()
            ? NativeTerminals.open(connection, random, home, settings.keyingThink())
            : JdbcTerminals.open(
                connection, texts, random, home, settings.keyingThink(), linesTogether());
    return settings.terminals().counters()
        ? new CountingTerminal(terminal, terminal::cost, costLedger)
        : terminal;
  }

  private boolean linesTogether() {
    return settings.orderLines().isTogether(database.dialect());
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return conditions.checkAfterLoad();
  }

  @Override
  public List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException {
    List<CheckResult> results = new ArrayList<>(conditions.checkAfterRun());
    Ledger ledger = new Ledger(database, settings.population(), settings.warehouses());
    results.addAll(ledger.check(statistics));
    return results;
  }

  @Override
  public List<Metric> metrics(RunStatistics statistics) {
    long newOrders = statistics.types().get(TransactionType.NEW_ORDER.ordinal()).committed();
    double minutes = statistics.measured().toNanos() / NANOS_PER_SECOND / SECONDS_PER_MINUTE;
    String label =
        "new-orders/min (TPC-C-derived, "
            + (settings.compat() ? "reduced variant of the prototypes, " : "")
            + "unaudited, keying/think "
            + (settings.keyingThink() ? "on" : "off")
            + ")";
    return List.of(new Metric("nopm", label, newOrders / minutes));
  }

  @Override
  public List<TypeCost> costs() {
    return settings.terminals().counters() ? costLedger.means() : List.of();
  }

  @Override
  public List<String> deviations() {
    return Deviations.of(settings);
  }

  @Override
  public List<String> remarks() {
    return settings.terminals().nativeApi() ? List.of() : texts.remarks();
  }
}
