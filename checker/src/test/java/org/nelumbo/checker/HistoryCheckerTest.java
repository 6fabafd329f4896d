package org.nelumbo.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryText;

/** A handmade history for each anomaly, with the expected name. */
class HistoryCheckerTest {
  private static Verdict check(String text) {
    History history = HistoryText.parse(text);
    Verdict verdict = HistoryChecker.check(history);
    if (!verdict.isValid()) {
      assertFalse(ExactChecker.isValid(history), "some order explains it: " + verdict);
    }
    return verdict;
  }

  private static void assertFound(String name, String text) {
    Verdict verdict = check(text);
    List<String> names = verdict.anomalies().stream().map(Anomaly::name).toList();
    assertTrue(names.contains(name), name + " expected, found: " + verdict);
  }

  private static void assertValid(String text) {
    Verdict verdict = check(text);
    assertTrue(verdict.isValid(), verdict.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameWriteCycles(String level) {
    assertFound(
        "G0",
        """
        T0 s1 LEVEL committed 1..10 append(1,10) append(2,10)
        T1 s2 LEVEL committed 1..10 append(1,20) append(2,20)
        T2 s3 LEVEL committed 1..10 list(1)=[10 20] list(2)=[20 10]
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameAbortedReads(String level) {
    assertFound(
        "G1a",
        "T0 s1 LEVEL aborted 1..10 write(1,10)\nT1 s2 LEVEL committed 2..5 read(1)=10"
            .replace("LEVEL", level));
    assertFound(
        "G1a",
        "T0 s1 LEVEL aborted 1..10 append(1,10)\nT1 s2 LEVEL committed 2..5 list(1)=[10]"
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameIntermediateReads(String level) {
    assertFound(
        "G1b",
        "T0 s1 LEVEL committed 1..10 write(1,10) write(1,11)\nT1 s2 LEVEL committed 2..5 read(1)=10"
            .replace("LEVEL", level));
    assertFound(
        "G1b",
        "T0 s1 LEVEL committed 1..10 append(1,10) append(1,11)\nT1 s2 LEVEL committed 2..5 list(1)=[10]\nT2 s3 LEVEL committed 2..5 list(1)=[10 11]"
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameCircularInformationFlow(String level) {
    assertFound(
        "G1c",
        """
        T0 s1 LEVEL committed 1..10 write(1,10) read(2)=20
        T1 s2 LEVEL committed 1..10 write(2,20) read(1)=10
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameReadSkew(String level) {
    assertFound(
        "G-single",
        """
        T0 s1 LEVEL committed 1..2 write(1,1) write(2,1)
        T1 s1 LEVEL committed 3..10 read(1)=1 read(2)=1 write(1,2) write(2,2)
        T2 s2 LEVEL committed 3..10 read(1)=1 read(2)=2
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameLostUpdates(String level) {
    assertFound(
        "lost update",
        """
        T0 s1 LEVEL committed 1..2 write(1,1)
        T1 s1 LEVEL committed 3..10 read(1)=1 write(1,2)
        T2 s2 LEVEL committed 3..10 read(1)=1 write(1,3)
        """
            .replace("LEVEL", level));
    assertFound(
        "lost update",
        """
        T0 s1 LEVEL committed 3..10 list(1)=[] append(1,2)
        T1 s2 LEVEL committed 3..10 list(1)=[] append(1,3)
        T2 s1 LEVEL committed 11..12 list(1)=[2 3]
        """
            .replace("LEVEL", level));
    assertFound(
        "lost update",
        """
        T0 s1 LEVEL committed 3..10 list(1)=[] append(1,2)
        T1 s2 LEVEL committed 3..10 list(1)=[] append(1,3)
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameTwoInsertsOfOneRowLostUpdate(String level) {
    assertFound(
        "lost update",
        """
        T0 s1 LEVEL committed 1..10 insert(1,1)
        T1 s2 LEVEL committed 1..10 insert(1,2)
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldNameLongForks(String level) {
    assertFound(
        "long fork",
        """
        T0 s1 LEVEL committed 1..10 write(1,1)
        T1 s2 LEVEL committed 1..10 write(2,1)
        T2 s3 LEVEL committed 1..10 read(1)=1 read(2)=nil
        T3 s4 LEVEL committed 1..10 read(1)=nil read(2)=1
        """
            .replace("LEVEL", level));
  }

  private static final String WRITE_SKEW =
      """
      T0 s1 LEVEL committed 1..10 read(1)=nil write(2,1)
      T1 s2 LEVEL committed 1..10 read(2)=nil write(1,1)
      """;

  @Test
  void shouldFindWriteSkewAmongSerializableTransactionsOnly() {
    assertFound("G2-item", WRITE_SKEW.replace("LEVEL", "SR"));
    assertValid(WRITE_SKEW.replace("LEVEL", "SI"));
    assertValid(WRITE_SKEW.replaceFirst("LEVEL", "SR").replace("LEVEL", "SI"));
  }

  private static final String PHANTOMS =
      """
      T0 s1 LEVEL committed 1..10 scan(1..9)={} insert(3,1)
      T1 s2 LEVEL committed 1..10 scan(1..9)={} insert(4,1)
      """;

  @Test
  void shouldNameWriteSkewByPhantoms() {
    assertFound("G2", PHANTOMS.replace("LEVEL", "SR"));
    assertValid(PHANTOMS.replace("LEVEL", "SI"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldFindARangeThatSawHalfATransaction(String level) {
    assertFound(
        "G-single",
        """
        T0 s1 LEVEL committed 1..10 insert(3,1) insert(7,1)
        T1 s2 LEVEL committed 1..10 scan(1..9)={3:1}
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldFindReadsOfThePast(String level) {
    assertFound(
        "G-single-realtime",
        """
        T0 s1 LEVEL committed 1..2 write(1,1)
        T1 s2 LEVEL committed 3..4 read(1)=nil
        """
            .replace("LEVEL", level));
    assertFound(
        "G-single-session",
        """
        T0 s1 LEVEL committed 1..2 write(1,1)
        T1 s1 LEVEL committed 2..4 read(1)=nil
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldFindReadsOfTheFuture(String level) {
    assertFound(
        "G1c-realtime",
        """
        T0 s1 LEVEL committed 1..2 read(1)=1
        T1 s2 LEVEL committed 3..4 write(1,1)
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldFindALostWrite(String level) {
    assertFound(
        "G-single-realtime",
        """
        T0 s1 LEVEL committed 1..2 append(1,1)
        T1 s2 LEVEL committed 3..4 append(1,2)
        T2 s3 LEVEL committed 5..6 list(1)=[1]
        """
            .replace("LEVEL", level));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SR", "SI"})
  void shouldOrderBlindWritesByRealTime(String level) {
    assertFound(
        "G-single-realtime",
        """
        T0 s1 LEVEL committed 1..2 write(1,1)
        T1 s2 LEVEL committed 3..4 write(1,2)
        T2 s3 LEVEL committed 5..6 read(1)=1
        """
            .replace("LEVEL", level));
  }

  @Test
  void shouldFindARowThatWasMissingInBetween() {
    assertFound(
        "missing row",
        """
        T0 s1 SR committed 1..2 insert(1,1)
        T1 s1 SR committed 3..4 delete(1)
        T2 s1 SR committed 5..6 insert(1,2)
        T3 s2 SR committed 7..8 read(1)=nil
        """);
  }

  @Test
  void shouldAcceptAMissingRowThatADeletionOfUnknownOutcomeExplains() {
    assertValid(
        """
        T0 s1 SR committed 1..2 insert(1,1)
        T1 s2 SR unknown 3..? delete(1)
        T2 s1 SR committed 5..6 read(1)=nil
        """);
  }

  @Test
  void shouldCountUnresolvedReads() {
    Verdict verdict =
        check(
            """
            T0 s1 SR committed 1..2 insert(1,1)
            T1 s1 SR committed 3..40 read(1)=1 delete(1)
            T2 s2 SR committed 10..20 insert(1,2)
            T3 s2 SR committed 21..30 read(1)=2 delete(1)
            T4 s3 SR committed 15..30 read(1)=nil
            """);
    assertTrue(verdict.isValid(), verdict.toString());
    assertEquals(1, verdict.unresolved());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "write(1,1) read(1)=nil",
        "read(1)=nil read(1)=5",
        "insert(1,1) insert(1,2)",
        "delete(1) delete(1)",
        "read(1)=nil delete(1)",
        "write(1,1) delete(1) read(1)=1",
        "append(1,1) list(1)=[]",
        "list(1)=[5] append(1,1) list(1)=[1]",
        "list(1)=[] list(1)=[5]",
        "list(1)=[5 1] append(1,1)"
      })
  void shouldFindTransactionsThatContradictThemselves(String operations) {
    boolean list = operations.contains("list");
    String other = list ? "append(1,5)" : "insert(1,5)";
    Verdict verdict =
        check(
            "T0 s1 SR committed 1..9 OTHER\nT1 s2 SR committed 1..9 ".replace("OTHER", other)
                + operations);
    assertFalse(verdict.isValid(), verdict.toString());
    assertTrue(
        verdict.has(AnomalyKind.INTERNAL)
            || verdict.anomalies().getFirst().transactions().contains(1),
        verdict.toString());
  }

  @Test
  void shouldNameGarbageDuplicatesAndIncompatibleOrders() {
    assertFound("garbage read", "T0 s1 SR committed 1..2 read(1)=1");
    assertFound("garbage read", "T0 s1 SR committed 1..2 list(1)=[1]");
    assertFound("garbage read", "T0 s1 SR committed 1..2 scan(1..5)={2:1}");
    assertFound(
        "duplicate element",
        "T0 s1 SR committed 1..2 append(1,1)\nT1 s1 SR committed 3..4 list(1)=[1 1]");
    assertFound(
        "incompatible order",
        """
        T0 s1 SR committed 1..9 append(1,1)
        T1 s2 SR committed 1..9 append(1,2)
        T2 s3 SR committed 1..9 list(1)=[1 2]
        T3 s4 SR committed 1..9 list(1)=[2]
        """);
  }

  @Test
  void shouldAssumeUnknownCommittedOnlyIfObserved() {
    assertValid("T0 s1 SR unknown 1..? append(1,1)\nT1 s2 SR committed 5..6 list(1)=[]");
    assertValid("T0 s1 SR unknown 1..? append(1,1)\nT1 s2 SR committed 5..6 list(1)=[1]");
    assertFound(
        "G-single-realtime",
        """
        T0 s1 SR unknown 1..? append(1,1)
        T1 s2 SR committed 5..6 list(1)=[1]
        T2 s3 SR committed 7..8 list(1)=[]
        """);
    assertFound(
        "G-single",
        """
        T0 s1 SR unknown 1..? append(1,1) append(2,1)
        T1 s2 SR committed 5..6 list(1)=[1] list(2)=[]
        """);
  }

  /**
   * Both transactions have the same timestamp, but their session orders the second one after the
   * first.
   */
  @Test
  void shouldOrderSessionWithinSameTimestamp() {
    assertFound(
        "G-single-session",
        """
        T0 s2 SR committed 2..2 append(0,1)
        T1 s2 SR committed 2..8 list(0)=[]
        T2 s1 SR committed 9..9 list(0)=[1]
        """);
  }

  @Test
  void shouldPrintAnomalyWithDependencies() {
    String text = check(WRITE_SKEW.replace("LEVEL", "SR")).toString();
    assertEquals(
        """
        INVALID: 1 anomalies, 2 transactions, 2 dependencies

        G2-item (write skew)
          T0 -rw-> T1: read 1 without the other's change
          T1 -rw-> T0: read 2 without the other's change
          T0 s1 SR committed 1..10 read(1)=nil write(2,1)
          T1 s2 SR committed 1..10 read(2)=nil write(1,1)\
        """,
        text);
  }

  @Test
  void shouldRejectUncheckableHistories() {
    History twice = HistoryText.parse("T0 s1 SR committed 1..2 write(1,1) write(1,1)");
    assertThrows(IllegalArgumentException.class, () -> HistoryChecker.check(twice));
    History both = HistoryText.parse("T0 s1 SR committed 1..2 write(1,1) append(1,2)");
    assertThrows(IllegalArgumentException.class, () -> HistoryChecker.check(both));
  }

  @Test
  void shouldAcceptAnEmptyHistory() {
    assertTrue(HistoryChecker.check(HistoryText.parse("")).isValid());
  }
}
