package org.nelumbo.smallbank.terminal;

import org.nelumbo.benchmark.data.RandomValues;

/**
 * The one or two customers of a transaction. One draw decides for both whether they come from the
 * hot set.
 */
public final class CustomerInput {
  private final RandomValues random;
  private final Customers customers;
  private final boolean named;
  private int first;
  private int second;
  private String firstName;
  private String secondName;

  /**
   * Creates the inputs of a terminal.
   *
   * @param named true if customers are requested by name; if false, as in the prototypes, no money
   *     is withdrawn from savings
   */
  public CustomerInput(RandomValues random, Customers customers, boolean named) {
    this.random = random;
    this.customers = customers;
    this.named = named;
  }

  public void drawOne() {
    first = random.uniform(0, drawRange() - 1);
    firstName = named ? Customers.name(first) : null;
  }

  /** Draws two different customers. */
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

  /** Returns true if customers are requested by name. */
  public boolean named() {
    return named;
  }

  public int first() {
    return first;
  }

  public int second() {
    return second;
  }

  /** Returns the name of the first customer, or null if customers are requested by number. */
  public String firstName() {
    return firstName;
  }

  /** Returns the name of the second customer, or null if customers are requested by number. */
  public String secondName() {
    return secondName;
  }

  /**
   * Draws whether money is withdrawn from savings: in half of the cases if customers have names,
   * otherwise never.
   */
  public boolean withdraws() {
    return named && random.percent(50);
  }
}
