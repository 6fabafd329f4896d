package org.nelumbo.smallbank.load;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.benchmark.load.ParallelLoad;
import org.nelumbo.smallbank.terminal.Amounts;
import org.nelumbo.smallbank.terminal.Customers;

/** Creates the tables and the accounts, each with a balance of 10,000.00 to 50,000.00. */
public final class Loader {
  private static final int PART = 25_000;
  private static final int CENTS_LOW = 1_000_000;
  private static final int CENTS_HIGH = 5_000_000;

  private final Database database;
  private final int customers;
  private final boolean compat;
  private final long seed;

  public Loader(Database database, int customers, boolean compat, long seed) {
    this.database = database;
    this.customers = customers;
    this.compat = compat;
    this.seed = seed;
  }

  /** Returns the tables in the order of their creation. */
  public static List<String> tables(boolean compat) {
    return compat ? List.of("savings", "checking") : List.of("accounts", "savings", "checking");
  }

  /** Creates and fills the tables; returns the sum of all balances, in cents. */
  public long load(LoadProgress progress) throws SQLException, InterruptedException {
    progress.expect((long) customers * tables(compat).size());
    String schema = compat ? "schema-compat.sql" : "schema.sql";
    database.executeAll(SqlResource.load(Loader.class, schema).statements(database.dialect()));
    AtomicLong sum = new AtomicLong();
    List<ParallelLoad.Part> parts = new ArrayList<>();
    for (int from = 0; from < customers; from += PART) {
      int first = from;
      parts.add(connection -> sum.addAndGet(load(connection, progress, first)));
    }
    ParallelLoad.run(database, parts);
    return sum.get();
  }

  private long load(Connection connection, LoadProgress progress, int first) throws SQLException {
    int end = Math.min(customers, first + PART);
    if (!compat) {
      try (BatchInsert accounts = into(connection, progress, "accounts")) {
        for (int customer = first; customer < end; customer++) {
          accounts.add(Customers.name(customer), (long) customer);
        }
      }
    }
    RandomValues random = new RandomValues(seed * 1_000_003 + first);
    return loadBalances(into(connection, progress, "savings"), random, first, end)
        + loadBalances(into(connection, progress, "checking"), random, first, end);
  }

  private static long loadBalances(BatchInsert into, RandomValues random, int first, int end)
      throws SQLException {
    long sum = 0;
    try (into) {
      for (int customer = first; customer < end; customer++) {
        int cents = random.uniform(CENTS_LOW, CENTS_HIGH);
        sum += cents;
        into.add((long) customer, Amounts.ofCents(cents));
      }
    }
    return sum;
  }

  private BatchInsert into(Connection connection, LoadProgress progress, String table)
      throws SQLException {
    return new BatchInsert(connection, database.dialect(), progress, table, 2);
  }
}
