package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PoolSummaryTest {
  private final PoolSummary summary = new PoolSummary(3);

  @Test
  void shouldTellThatAllAreLive() {
    for (int node = 0; node < 3; node++) {
      summary.add(node, "bytes=1 owner=nobody copies=3 view=4 role=live live=0,1,2");
    }
    assertTrue(summary.haveAllAnswered());
    assertEquals(
        "pool nodes=3 answering=0,1,2 copies=3 view=4 live=0,1,2 filling=none out=none",
        summary.line());
  }

  @Test
  void shouldBelieveTheLatestView() {
    summary.add(0, "owner=process 7 on x (user y) copies=3 view=4 role=live live=0,1,2");
    summary.add(1, "owner=process 7 on x (user y) copies=3 view=5 role=live live=1");
    summary.add(
        2, "owner=process 7 on x (user y) copies=3 view=5 role=filling live=1 filled=1 of=2");
    assertEquals(
        "pool nodes=3 answering=0,1,2 copies=3 view=5 live=1 filling=2 out=0", summary.line());
  }

  @Test
  void shouldTellWhoDoesNotAnswer() {
    summary.add(1, "owner=nobody copies=3 view=5 role=filling live=0,2 filled=1 of=2");
    assertFalse(summary.haveAllAnswered());
    assertEquals(
        "pool nodes=3 answering=1 copies=3 view=5 live=none filling=none out=0,1,2",
        summary.line());
  }

  @Test
  void shouldTellThatNobodyAnswers() {
    assertEquals("pool nodes=3 answering=none", summary.line());
  }

  @Test
  void shouldTellAboutPoolsOfOneCopyAndEmptyNodes() {
    summary.add(0, "bytes=1 owner=nobody");
    assertEquals("pool nodes=3 answering=0 (no pool has been made here)", summary.line());
    summary.add(1, "bytes=1 owner=nobody copies=1");
    assertEquals("pool nodes=3 answering=0,1 copies=1", summary.line());
  }
}
