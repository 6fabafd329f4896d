package org.nelumbo.dm.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class CommitLogLayoutTest {
  private final MemorySegment log =
      Arena.ofAuto().allocate(SizeClass.bytes(LogLayout.BLOCK_CLASS), Long.BYTES);

  private void write(int entries) {
    for (int i = 0; i < entries; i++) {
      CommitLogLayout.setEntry(log, 0, i, LogLayout.entryWord0(64L * i + 64, i % 2), 1000 + i, i);
    }
    CommitLogLayout.setHeader(log, 0, 17, entries, 4711);
  }

  @Test
  void shouldReturnWhatWasWritten() {
    write(CommitLogLayout.ENTRIES_MAX);
    assertTrue(CommitLogLayout.isWhole(log, 0));
    assertEquals(CommitLogLayout.ENTRIES_MAX, CommitLogLayout.entries(log, 0));
    assertEquals(4711, CommitLogLayout.timestamp(log, 0));
    assertEquals(17, LogLayout.transaction(log, 0));
    assertEquals(64 * 63 + 64, CommitLogLayout.cvt(log, 0, 63));
    assertEquals(1, CommitLogLayout.cell(log, 0, 63));
    assertEquals(1063, CommitLogLayout.newWord0(log, 0, 63));
    assertEquals(63, CommitLogLayout.overflow(log, 0, 63));
    assertTrue(CommitLogLayout.LENGTH_MAX <= LogLayout.BLOCK_LENGTH);
  }

  @Test
  void shouldDetectAnyWordThatWasNotWritten() {
    write(3);
    for (int at = LogLayout.TRANSACTION_OFFSET; at < CommitLogLayout.length(3); at += Long.BYTES) {
      long word = log.get(ValueLayout.JAVA_LONG, at);
      log.set(ValueLayout.JAVA_LONG, at, word + 1);
      assertFalse(CommitLogLayout.isWhole(log, 0), "offset=" + at);
      log.set(ValueLayout.JAVA_LONG, at, word);
    }
    assertTrue(CommitLogLayout.isWhole(log, 0));
  }

  @Test
  void shouldNotTakeALogOfTheOtherKindForOne() {
    log.set(ValueLayout.JAVA_LONG, LogLayout.COUNT_OFFSET, 3);
    assertFalse(CommitLogLayout.isWhole(log, 0));
  }
}
