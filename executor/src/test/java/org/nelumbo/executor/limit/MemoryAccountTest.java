package org.nelumbo.executor.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.error.NelumboException;

class MemoryAccountTest {
  private static final long UNIT = 1 << 20;

  private final MemoryBudget process = MemoryBudget.ofJvm().newPart("limitOfProcess", 4 * UNIT);
  private final MemoryBudget statement = process.newPart("limitOfStatement", UNIT);
  private final StatementLimits limits = new StatementLimits();
  private final MemoryAccount account = limits.newAccount("a sort");

  MemoryAccountTest() {
    limits.setMemory(statement);
  }

  private static void assertNames(String budget, long limit, NelumboException failure) {
    assertEquals("53200", failure.sqlState());
    String text = failure.getMessage();
    assertTrue(text.contains("in use of " + budget + "=" + limit + ";"), text);
    assertTrue(text.endsWith("or raise " + budget), text);
  }

  /**
   * A structure may not have the size that was refused to another structure of the same operator.
   */
  @Test
  void shouldNameBudgetThatRefused() {
    account.resize(UNIT / 2);
    assertFalse(limits.newAccount("its rows").tryResize(UNIT));
    assertNames("limitOfStatement", UNIT, account.exhausted(UNIT / 2 + 10));
  }

  @Test
  void shouldNameBudgetFilledByOtherAccounts() {
    assertTrue(process.tryReserve(4 * UNIT - UNIT / 4));
    assertFalse(account.tryResize(UNIT / 2));
    assertNames("limitOfProcess", 4 * UNIT, account.exhausted(UNIT / 2));
    process.release(4 * UNIT - UNIT / 4);
    assertNames("limitOfStatement", UNIT, account.exhausted(UNIT / 2));
  }

  @Test
  void shouldReleaseAllMemoryOnClose() {
    account.resize(UNIT);
    assertEquals(UNIT - MemoryAccount.FREE_BYTES, process.used());
    account.close();
    assertEquals(0, process.used());
    assertEquals(0, statement.used());
  }
}
