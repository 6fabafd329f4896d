package org.nelumbo.tpcc.load;

import java.sql.SQLException;
import java.sql.Timestamp;
import org.nelumbo.benchmark.load.BatchInsert;
import org.nelumbo.tpcc.data.LastNames;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/** Fills CUSTOMER and HISTORY of a district, clause 4.3.3.1. */
final class CustomerLoader implements AutoCloseable {
  /** Number of leading customers that have each last name once. */
  private static final int NAMES_IN_ORDER = 1_000;

  private static final long CREDIT_LIMIT_CENTS = 5_000_000;
  private static final long PAID_CENTS = 1_000;

  private final Population population;
  private final TpccRandom random;
  private final int warehouse;
  private final Timestamp now;
  private final BatchInsert customers;
  private final BatchInsert history;

  CustomerLoader(
      Inserts inserts, Population population, TpccRandom random, int warehouse, Timestamp now)
      throws SQLException {
    this.population = population;
    this.random = random;
    this.warehouse = warehouse;
    this.now = now;
    this.customers = inserts.into("customer", 21);
    this.history = inserts.into("history", 8);
  }

  void load(int district) throws SQLException {
    for (int customer = 1; customer <= population.customersPerDistrict(); customer++) {
      addCustomer(district, customer);
      history.add(
          customer,
          district,
          warehouse,
          district,
          warehouse,
          now,
          Money.ofCents(PAID_CENTS),
          random.text(12, 24));
    }
  }

  private void addCustomer(int district, int customer) throws SQLException {
    int name =
        customer <= NAMES_IN_ORDER
            ? customer - 1
            : random.lastNameForLoad(population.lastNameMax());
    customers.add(
        customer,
        district,
        warehouse,
        random.text(8, 16),
        "OE",
        LastNames.of(name),
        random.text(10, 20),
        random.text(10, 20),
        random.text(10, 20),
        random.letters(2),
        random.zip(),
        random.digits(16),
        now,
        random.percent(10) ? "BC" : "GC",
        Money.ofCents(CREDIT_LIMIT_CENTS),
        Money.ofRate(random.uniform(0, 5_000)),
        Money.ofCents(-PAID_CENTS),
        Money.ofCents(PAID_CENTS),
        1,
        0,
        random.text(300, 500));
  }

  @Override
  public void close() throws SQLException {
    customers.close();
    history.close();
  }
}
