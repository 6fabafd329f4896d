package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The log of a transaction whose cells have their timestamp before it is published, in a block of
 * the class of {@link LogLayout}. There is one on each logical node with cells or records of the
 * transaction, and it precedes them in the list of verbs. It names all memory that the list
 * changes.
 *
 * <pre>
 *  0  | 0, as there is no next block                                  |
 *  8  | transaction id                                                |
 * 16  | entries, at most {@link #ENTRIES_MAX}, plus {@link #KIND}     |
 * 24  | checksum of the id, the timestamp and the entries             |
 * 32  | timestamp                                                     |
 * 40  | entry 0: cell (8) | 0 (8) | CVT address (48)                  |
 * 48  |          word 0 that the cell is given                        |
 * 56  |          overflow block that is written, or 0                 |
 * 64  | entry 1 ...                                                   |
 * </pre>
 */
public final class CommitLogLayout {
  /** Distinguishes these logs from those of {@link LogLayout}. */
  public static final long KIND = 1L << 62;

  public static final int TIMESTAMP_OFFSET = LogLayout.HEADER_LENGTH;
  public static final int ENTRIES_OFFSET = TIMESTAMP_OFFSET + Long.BYTES;
  public static final int ENTRY_LENGTH = 3 * Long.BYTES;

  /** Number of entries that fit into a block. */
  public static final int ENTRIES_MAX = (LogLayout.BLOCK_LENGTH - ENTRIES_OFFSET) / ENTRY_LENGTH;

  public static final int LENGTH_MAX = length(ENTRIES_MAX);

  private CommitLogLayout() {}

  /** Returns the length of a log in bytes. */
  public static int length(int entries) {
    return ENTRIES_OFFSET + entries * ENTRY_LENGTH;
  }

  /** Writes entry {@code i}. */
  public static void setEntry(
      MemorySegment segment, long log, int i, long cellWord0, long newWord0, long overflow) {
    long at = log + ENTRIES_OFFSET + (long) i * ENTRY_LENGTH;
    segment.set(ValueLayout.JAVA_LONG, at, cellWord0);
    segment.set(ValueLayout.JAVA_LONG, at + Long.BYTES, newWord0);
    segment.set(ValueLayout.JAVA_LONG, at + 2 * Long.BYTES, overflow);
  }

  /** Writes the header, when all entries are written. */
  public static void setHeader(
      MemorySegment segment, long log, long transaction, int entries, long timestamp) {
    segment.set(ValueLayout.JAVA_LONG, log + LogLayout.TRANSACTION_OFFSET, transaction);
    segment.set(ValueLayout.JAVA_LONG, log + LogLayout.COUNT_OFFSET, KIND | entries);
    segment.set(ValueLayout.JAVA_LONG, log + TIMESTAMP_OFFSET, timestamp);
    segment.set(ValueLayout.JAVA_LONG, log + LogLayout.CHECKSUM_OFFSET, checksum(segment, log));
  }

  /** Returns true if a block has a log of this kind that was written as a whole. */
  public static boolean isWhole(MemorySegment segment, long log) {
    long count = LogLayout.count(segment, log) - KIND;
    return count > 0
        && count <= ENTRIES_MAX
        && LogLayout.checksum(segment, log) == checksum(segment, log);
  }

  private static long checksum(MemorySegment segment, long log) {
    long sum = LogLayout.addToChecksum(0, LogLayout.transaction(segment, log));
    int end = length(entries(segment, log));
    for (int at = TIMESTAMP_OFFSET; at < end; at += Long.BYTES) {
      sum = LogLayout.addToChecksum(sum, segment.get(ValueLayout.JAVA_LONG, log + at));
    }
    return sum;
  }

  public static int entries(MemorySegment segment, long log) {
    return (int) (LogLayout.count(segment, log) - KIND);
  }

  public static long timestamp(MemorySegment segment, long log) {
    return segment.get(ValueLayout.JAVA_LONG, log + TIMESTAMP_OFFSET);
  }

  private static long word(MemorySegment segment, long log, int i, int word) {
    return segment.get(
        ValueLayout.JAVA_LONG,
        log + ENTRIES_OFFSET + (long) i * ENTRY_LENGTH + (long) word * Long.BYTES);
  }

  /** Returns the CVT of entry {@code i}. */
  public static long cvt(MemorySegment segment, long log, int i) {
    return LogLayout.cvt(word(segment, log, i, 0));
  }

  /** Returns the cell of entry {@code i}. */
  public static int cell(MemorySegment segment, long log, int i) {
    return LogLayout.cell(word(segment, log, i, 0));
  }

  /** Returns word 0 that the cell of entry {@code i} is given. */
  public static long newWord0(MemorySegment segment, long log, int i) {
    return word(segment, log, i, 1);
  }

  /** Returns the overflow block that is written for entry {@code i}; 0 if no version is evicted. */
  public static long overflow(MemorySegment segment, long log, int i) {
    return word(segment, log, i, 2);
  }
}
