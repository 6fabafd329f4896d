package org.nelumbo.smallbank.terminal;

import org.nelumbo.benchmark.data.RandomValues;

/** The one or two customers of a transaction. Whether they are hot is decided once for both. */
public final class CustomerInput {
  private final RandomValues random;
  private final Customers customers;
  private final boolean named;
  private int first;
  private int second;
  private String firstName;
  private String secondName;

  /**
   * Inputs of a terminal.
   *
   * @param named whether customers are asked for by name; if not, as in the prototypes, nobody
   *     takes money out of savings either
   */
  public CustomerInput(RandomValues random, Customers customers, boolean named) {
    this.random = random;
    this.customers = customers;
    this.named = named;
  }

  /** Draws one customer. */
  public void drawOne() {
    first = random.uniform(0, drawRange() - 1);
    firstName = named ? Customers.name(first) : null;
  }

  /** Draws two customers who are not the same. */
  public void drawTwo() {
    int range = drawRange();
    first = random.uniform(0, range - 1);
    second = random.uniform(0, range - 2);
    second += second >= first ? 1 : 0;
    firstName = named ? Customers.name(first) : null;
    secondName = named ? Customers.name(second) : null;
  }

  private int drawRange() {
    return random.percent(customers.hotPercent()) ? customers.hot() : customers.count();
  }

  /** Whether customers are asked for by name. */
  public boolean named() {
    return named;
  }

  public int first() {
    return first;
  }

  public int second() {
    return second;
  }

  /** Null if customers are asked for by number. */
  public String firstName() {
    return firstName;
  }

  /** Null if customers are asked for by number. */
  public String secondName() {
    return secondName;
  }

  /** Draws whether money is taken out of savings: half of the time, if customers have names. */
  public boolean withdraws() {
    return named && random.percent(50);
  }
}
