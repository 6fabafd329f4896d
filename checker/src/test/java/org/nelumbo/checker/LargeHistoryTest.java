package org.nelumbo.checker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;

/** Checks large histories within a time limit that quadratic algorithms exceed. */
class LargeHistoryTest {
  private static final int TRANSACTIONS = 100_000;

  private static History history(boolean rows, int snapshotPercent) {
    return new ReferenceMachine(
            new ReferenceMachine.Plan(32, TRANSACTIONS, 40, 6, snapshotPercent, 1, rows, false), 7)
        .run();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(120)
  void shouldCheckAHundredThousandTransactions(boolean rows) {
    Verdict verdict = HistoryChecker.check(history(rows, 50));
    assertTrue(verdict.isValid(), verdict.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(120)
  void shouldFindOneAnomalyAmongThem(boolean rows) {
    String text = HistoryText.format(history(rows, 0));
    int end = text.length();
    String stale =
        rows
            ? """
            T0 s99 SR committed 1..2 insert(1000000,1) insert(1000001,2)
            T1 s98 SR committed 1..2 read(1000000)=1 read(1000001)=nil
            """
            : """
            T0 s99 SR committed 1..2 append(1000000,1) append(1000001,2)
            T1 s98 SR committed 1..2 list(1000000)=[1] list(1000001)=[]
            """;
    Verdict verdict = HistoryChecker.check(HistoryText.parse(text.substring(0, end) + stale));
    assertFalse(verdict.isValid());
    assertTrue(verdict.has(AnomalyKind.G_SINGLE), verdict.toString());
  }
}
