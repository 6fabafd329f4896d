package org.nelumbo.smallbank;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.MixedWorkload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.smallbank.check.Ledger;
import org.nelumbo.smallbank.jdbc.JdbcTransactions;
import org.nelumbo.smallbank.load.Loader;
import org.nelumbo.smallbank.nativeapi.NativeTransactions;
import org.nelumbo.smallbank.terminal.Book;
import org.nelumbo.smallbank.terminal.BookedTransaction;
import org.nelumbo.smallbank.terminal.CustomerInput;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;
import org.nelumbo.smallbank.terminal.TransactionType;

/** SmallBank on one database. */
final class SmallBankWorkload extends MixedWorkload {
  private final SmallBankSettings settings;
  private final Conditions conditions;
  private final Ledger ledger;

  SmallBankWorkload(Database database, SmallBankSettings settings) {
    super(database, JdbcTransactions.class, TransactionType.titles(), settings.terminals());
    this.settings = settings;
    this.conditions =
        Ledger.conditions(database(), settings.customers().count(), settings.compat());
    this.ledger = new Ledger(database);
  }

  @Override
  public String name() {
    return settings.compat() ? "smallbank-compat" : "smallbank";
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
    Loader loader = new Loader(database(), count, settings.compat(), settings.terminals().seed());
    ledger.loaded(loader.load(progress));
  }

  @Override
  protected int[] shares() {
    return TransactionType.shares();
  }

  @Override
  protected List<BookedTransaction> transactions(JdbcSession session, RandomValues random)
      throws SQLException {
    return booked(JdbcTransactions.of(session, input(random)));
  }

  @Override
  protected List<BookedTransaction> transactions(NativeApiSession session, RandomValues random) {
    return booked(NativeTransactions.of(session, input(random)));
  }

  private CustomerInput input(RandomValues random) {
    return new CustomerInput(random, settings.customers(), !settings.compat());
  }

  private List<BookedTransaction> booked(List<SmallBankTransaction> transactions) {
    Book book = ledger.openBook();
    return transactions.stream()
        .map(transaction -> new BookedTransaction(transaction, book, database().dialect()))
        .toList();
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    return check("after load");
  }

  @Override
  public List<Long> tally() {
    return ledger.sums();
  }

  @Override
  public void add(List<Long> tally) {
    ledger.add(tally);
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
  public List<String> deviations() {
    return Deviations.of(settings);
  }
}
