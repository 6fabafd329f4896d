package org.nelumbo.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.nelumbo.checker.ReferenceMachine;
import org.nelumbo.session.Isolation;

class HistoryTextTest {
  private static final String ALL_OPERATIONS =
      """
      T0 s1 SR committed 100..250 append(5,17) list(5)=[3 17] list(6)=[] write(7,3) read(7)=3 read(8)=nil
      T1 s2 SI unknown 120..? insert(9,4) delete(9) scan(0..10)={1:5 3:7} scan(-3..-1)={}
      T2 s1 SI aborted 251..251
      """;

  @Test
  void shouldRoundTripAllOperations() {
    assertEquals(ALL_OPERATIONS, HistoryText.format(HistoryText.parse(ALL_OPERATIONS)));
  }

  @Test
  void shouldSkipCommentsAndEmptyLines() {
    History history = HistoryText.parse("# seed 7\n\nT0 s1 SR committed 1..2 write(1,1)\n");
    assertEquals(1, history.size());
    assertEquals(Isolation.SERIALIZABLE, history.isolation(0));
  }

  @Test
  void shouldNameTheLineItDoesNotUnderstand() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> HistoryText.parse("T0 s1 SR committed 1..2\nT1 s1 SR committed 3..4 wrote(1,1)"));
    assertTrue(e.getMessage().contains("lineNumber=2"), e.getMessage());
  }

  @Test
  void shouldRefuseAnEndForAnUnknownOutcome() {
    assertThrows(
        IllegalArgumentException.class,
        () -> HistoryText.parse("T0 s1 SR unknown 1..2 write(1,1)"));
  }

  @Test
  void shouldRecordOpenTransactionsAsUnknown() {
    HistoryRecorder recorder = new HistoryRecorder();
    SessionRecorder session = recorder.session(3);
    session.begin(Isolation.SNAPSHOT, 10);
    session.write(1, 2);
    assertEquals("T0 s3 SI unknown 10..? write(1,2)\n", HistoryText.format(recorder.history()));
  }

  @Property(seed = "1", tries = 50)
  void shouldRoundTripRecordedHistories(@ForAll long seed, @ForAll boolean rows) {
    History history =
        new ReferenceMachine(new ReferenceMachine.Plan(4, 60, 5, 4, 50, 10, rows, true), seed)
            .run();
    String text = HistoryText.format(history);
    assertEquals(text, HistoryText.format(HistoryText.parse(text)));
  }
}
