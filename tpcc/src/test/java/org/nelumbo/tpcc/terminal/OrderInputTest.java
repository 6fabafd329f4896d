package org.nelumbo.tpcc.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.nelumbo.tpcc.TestDatabase;
import org.nelumbo.tpcc.data.NuRandConstants;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

class OrderInputTest {
  private static final int DRAWS = 50_000;

  private final TpccRandom random = new TpccRandom(5, NuRandConstants.of(5));

  @Test
  void shouldSortLinesByStockAndKeepNumbers() {
    OrderInput input = new OrderInput(random, new Home(2, 1, 3, TestDatabase.TINY, false));
    for (int draw = 0; draw < DRAWS; draw++) {
      input.draw();
      BitSet numbers = new BitSet();
      for (int line = 0; line < input.lines(); line++) {
        numbers.set(input.number(line));
        assertTrue(line == 0 || unused(input, line, TestDatabase.TINY) || inOrder(input, line));
      }
      assertEquals(input.lines(), numbers.cardinality());
      assertEquals(input.lines(), numbers.length() - 1);
    }
  }

  @Test
  void shouldDrawTheSharesOfTheSpecification() {
    OrderInput input = new OrderInput(random, new Home(2, 1, 3, Population.SPEC, false));
    int unusedOrders = 0;
    long lines = 0;
    long remote = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      input.draw();
      boolean local = true;
      for (int line = 0; line < input.lines(); line++) {
        assertTrue(input.quantity(line) >= 1 && input.quantity(line) <= 10);
        local &= input.supplier(line) == 2;
        remote += input.supplier(line) == 2 ? 0 : 1;
        unusedOrders += unused(input, line, Population.SPEC) ? 1 : 0;
        assertTrue(
            !unused(input, line, Population.SPEC) || line == input.lines() - 1,
            "unused item comes last");
      }
      assertEquals(local, input.allLocal());
      lines += input.lines();
    }
    assertEquals(0.01, unusedOrders / (double) DRAWS, 0.002);
    assertEquals(0.01, remote / (double) lines, 0.001);
    assertEquals(10, lines / (double) DRAWS, 0.1);
  }

  @Test
  void shouldStayAtHomeWithOneWarehouse() {
    OrderInput input = new OrderInput(random, new Home(1, 1, 1, Population.SPEC, false));
    for (int draw = 0; draw < 1_000; draw++) {
      input.draw();
      assertTrue(input.allLocal());
    }
  }

  @Test
  void shouldSpreadTerminalsOverWarehousesAndDistricts() {
    Home home = Home.ofTerminal(7, 3, Population.SPEC, false);
    assertEquals(2, home.warehouse());
    assertEquals(3, home.district());
    assertEquals(1, Home.ofTerminal(30, 3, Population.SPEC, false).district());
  }

  private static boolean unused(OrderInput input, int line, Population population) {
    return input.item(line) == population.items() + 1;
  }

  private static boolean inOrder(OrderInput input, int line) {
    int suppliers = Integer.compare(input.supplier(line - 1), input.supplier(line));
    return suppliers < 0 || suppliers == 0 && input.item(line - 1) <= input.item(line);
  }
}
