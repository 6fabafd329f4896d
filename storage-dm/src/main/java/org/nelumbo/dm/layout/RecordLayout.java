package org.nelumbo.dm.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A record: one version of a row, a full copy, immutable once visible.
 *
 * <pre>
 *     0                       4            6        8
 *     +-----------------------+------------+--------+
 *  0  |  length, header too   | key length |   0    |
 *     +-----------------------+------------+--------+
 *  8  |  predecessor: version this one replaced     |
 *     +---------------------------------------------+
 * 16  |  normalised primary key, then the row image |
 * </pre>
 *
 * A record is written before a cell points to it and never changes while one does. Its memory is
 * reused only when no snapshot can reach it. So a record is never torn, and has no cache line
 * versions. The predecessor detects a cell whose two words are 256 writes apart: it is always
 * smaller than the cell's version.
 */
public final class RecordLayout {
  public static final int LENGTH_OFFSET = 0;
  public static final int KEY_LENGTH_OFFSET = LENGTH_OFFSET + Integer.BYTES;

  /** Offset after the key length and two bytes that are 0. */
  public static final int PREDECESSOR_OFFSET = KEY_LENGTH_OFFSET + 2 * Short.BYTES;

  public static final int KEY_OFFSET = PREDECESSOR_OFFSET + Long.BYTES;

  private RecordLayout() {}

  public static void writeHeader(
      MemorySegment segment, long record, int length, int keyLength, long predecessor) {
    assert keyLength >= 0 && length >= KEY_OFFSET + keyLength;
    segment.set(ValueLayout.JAVA_LONG, record, (length & 0xFFFFFFFFL) | ((long) keyLength << 32));
    segment.set(ValueLayout.JAVA_LONG, record + PREDECESSOR_OFFSET, predecessor);
  }

  /** Returns the bytes of the whole record, header included. */
  public static int length(MemorySegment segment, long record) {
    return segment.get(ValueLayout.JAVA_INT, record + LENGTH_OFFSET);
  }

  public static int keyLength(MemorySegment segment, long record) {
    return segment.get(ValueLayout.JAVA_SHORT, record + KEY_LENGTH_OFFSET) & 0xFFFF;
  }

  public static long predecessor(MemorySegment segment, long record) {
    return segment.get(ValueLayout.JAVA_LONG, record + PREDECESSOR_OFFSET);
  }
}
