package org.nelumbo.smallbank.terminal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.data.RandomValues;

class CustomerInputTest {
  private static final int DRAWS = 100_000;

  private static CustomerInput input(Customers customers, boolean named) {
    return new CustomerInput(new RandomValues(3), customers, named);
  }

  @Test
  void shouldMixAsSpecified() {
    assertArrayEquals(new int[] {15, 15, 15, 25, 15, 15}, TransactionType.shares());
    assertEquals("SendPayment", TransactionType.titles().get(3));
  }

  @Test
  void shouldDrawBothCustomersFromHotSetOrAll() {
    CustomerInput input = input(new Customers(1000, 40, 90), false);
    int bothHot = 0;
    int oneHot = 0;
    for (int i = 0; i < DRAWS; i++) {
      input.drawTwo();
      assertNotEquals(input.first(), input.second());
      assertTrue(input.first() < 1000 && input.second() < 1000);
      int hot = (input.first() < 40 ? 1 : 0) + (input.second() < 40 ? 1 : 0);
      bothHot += hot == 2 ? 1 : 0;
      oneHot += hot == 1 ? 1 : 0;
    }
    assertEquals(0.9, bothHot / (double) DRAWS, 0.01);
    assertEquals(0.1 * 2 * 0.04 * 0.96, oneHot / (double) DRAWS, 0.002);
  }

  @Test
  void shouldDrawUniformlyWithoutAHotSet() {
    CustomerInput input = input(new Customers(10, 2, 0), false);
    int[] drawn = new int[10];
    for (int i = 0; i < DRAWS; i++) {
      input.drawTwo();
      drawn[input.first()]++;
      drawn[input.second()]++;
    }
    for (int count : drawn) {
      assertEquals(2 * DRAWS / 10.0, count, 1_000);
    }
  }

  @Test
  void shouldNameCustomersByTheirNumber() {
    CustomerInput input = input(new Customers(1000, 40, 0), true);
    input.drawTwo();
    assertEquals(String.format("%064d", input.first()), input.firstName());
    assertEquals(String.format("%064d", input.second()), input.secondName());
    assertEquals("0".repeat(64), Customers.name(0));
  }

  @Test
  void shouldOnlyDepositWithoutNames() {
    CustomerInput prototypes = input(new Customers(1000, 40, 0), false);
    CustomerInput full = input(new Customers(1000, 40, 0), true);
    int withdrawals = 0;
    for (int i = 0; i < 1_000; i++) {
      prototypes.drawOne();
      assertNull(prototypes.firstName());
      assertEquals(false, prototypes.withdraws());
      withdrawals += full.withdraws() ? 1 : 0;
    }
    assertEquals(500, withdrawals, 100);
  }
}
