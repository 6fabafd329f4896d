package org.nelumbo.smallbank.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.smallbank.TestBank;
import org.nelumbo.smallbank.terminal.BookedTransaction;
import org.nelumbo.smallbank.terminal.SmallBankTransaction;

/** Damages the bank in several ways and checks that each is reported. */
class ChecksTest {
  private TestBank bank;
  private Ledger ledger;

  @BeforeEach
  void load() throws Exception {
    bank = new TestBank("jdbc:h2:mem:NAME", false);
    ledger = new Ledger(bank.database());
    ledger.loaded(bank.loadedCents());
  }

  @AfterEach
  void close() throws SQLException {
    bank.close();
  }

  private List<String> broken() throws SQLException {
    Conditions conditions = Ledger.conditions(bank.database(), TestBank.CUSTOMERS, false);
    return conditions.check(conditions.names(), "now").stream()
        .filter(r -> !r.passed())
        .map(CheckResult::name)
        .toList();
  }

  @Test
  void shouldHoldAfterTheLoad() throws SQLException {
    assertEquals(List.of(), broken());
    assertTrue(ledger.check("now").passed());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DELETE FROM checking WHERE custid = 7 | every customer has a name, a savings and a"
            + " checking account",
        "INSERT INTO savings VALUES (1000, 1) | every customer has a name, a savings and a"
            + " checking account",
        "UPDATE savings SET bal = -0.01 WHERE custid = 3 | no savings account is overdrawn"
      })
  void shouldReportBrokenRows(String damage, String condition) throws SQLException {
    assertEquals(1, bank.change(damage));
    assertEquals(List.of(condition), broken());
  }

  @Test
  void shouldReportMissingCustomers() throws SQLException {
    for (String table : List.of("accounts", "savings", "checking")) {
      bank.change("DELETE FROM " + table + " WHERE custid = 7");
    }
    assertEquals(List.of("no customer came or went"), broken());
  }

  @Test
  void shouldReportACentTooMuchOrTooLittle() throws SQLException {
    bank.change("UPDATE checking SET bal = bal + 0.01 WHERE custid = 3");
    assertEquals(1, ledger.check("now").offendingRows());
    bank.change("UPDATE checking SET bal = bal - 0.02 WHERE custid = 3");
    assertEquals(1, ledger.check("now").offendingRows());
  }

  @Test
  void shouldCountOnlyCommittedTransactions() throws SQLException {
    run(Outcome.COMMITTED, null, 500);
    run(Outcome.ROLLED_BACK, null, 700);
    run(null, new SQLException("conflict", "40001"), 900);
    assertEquals(1, ledger.check("now").offendingRows());
    bank.change("UPDATE savings SET bal = bal + 5 WHERE custid = 3");
    assertTrue(ledger.check("now").passed());
  }

  @Test
  void shouldAllowUnknownOutcomesEitherWay() throws SQLException {
    run(null, new SQLException("connection lost in commit", "08007"), 500);
    assertTrue(ledger.check("now").passed(), "it may not have committed");
    bank.change("UPDATE savings SET bal = bal + 5 WHERE custid = 3");
    assertTrue(ledger.check("now").passed(), "it may have");
    bank.change("UPDATE savings SET bal = bal + 5 WHERE custid = 3");
    assertEquals(1, ledger.check("now").offendingRows(), "but not twice");
  }

  private void run(Outcome outcome, SQLException error, long cents) throws SQLException {
    BookedTransaction booked =
        new BookedTransaction(
            new Scripted(outcome, error, cents), ledger.openBook(), bank.database().dialect());
    booked.draw();
    if (error == null) {
      assertEquals(outcome, booked.execute());
    } else {
      assertEquals(error, assertThrows(SQLException.class, booked::execute));
    }
  }

  private record Scripted(Outcome outcome, SQLException error, long broughtIn)
      implements SmallBankTransaction {
    @Override
    public void draw() {}

    @Override
    public Outcome execute() throws SQLException {
      if (error != null) {
        throw error;
      }
      return outcome;
    }
  }
}
