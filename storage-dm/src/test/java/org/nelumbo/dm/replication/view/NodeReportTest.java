package org.nelumbo.dm.replication.view;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class NodeReportTest {
  @Test
  void shouldReadTheNumberOfCopiesFromItsOwnLineOnly() {
    assertEquals(3, NodeReport.copies("bytes=1\nowner=a copies=2\ncopies=3 view=7 role=live\n"));
    assertEquals(1, NodeReport.copies("owner=nobody\ncopies=1\n"));
    assertEquals(0, NodeReport.copies("owner=copies=5\n"));
    assertEquals(0, NodeReport.copies(""));
  }

  @Test
  void shouldReturnZeroForInvalidNumberOfCopies() {
    assertEquals(0, NodeReport.copies("owner=a copies=x\n"));
    assertEquals(0, NodeReport.copies("copies=x\n"));
    assertEquals(0, NodeReport.copies("copies=\n"));
    assertEquals(0, NodeReport.copies("copies=99999999999\n"));
    assertEquals(0, NodeReport.copies("copies=-1\n"));
  }
}
