package org.nelumbo.dm.replication.intent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * Layout of intents in the memory of one memory node. The header of the node has a table of compute
 * nodes; each has a block with records, one for each flush that it may have under way:
 *
 * <pre>
 *   table entry | tenant, 0: free | offset of the block in the memory node |
 *   block       | claim | ... 1 KiB | record | record | ...
 *   record      | flush | verbs | verb | verb | ... | done as backup | done as primary |
 *   verb        | kind (8 bits), logical node (24), length (32) | offset | operand | expected |
 * </pre>
 *
 * The claim is the tenant, or the complement of that of a compute node that ends its flushes. A
 * record is done for a memory node if it was marked there with the number of its flush.
 */
public final class IntentLayout {
  public static final int RECORD_LENGTH = 1024;
  public static final int RECORDS = 31;
  public static final int BLOCK_LENGTH = (RECORDS + 1) * RECORD_LENGTH;

  /** Most verbs of a flush; what is more is another flush. */
  public static final int VERBS_MAX = 30;

  public static final int WRITE = 1;
  public static final int WRITE_WORD = 2;
  public static final int CAS = 3;
  public static final int FAA = 4;

  static final int ENTRIES = NodeHeaderLayout.INTENT_ENTRIES;
  static final int ENTRY_LENGTH = NodeHeaderLayout.INTENT_ENTRY_LENGTH;
  static final int TENANT_OFFSET = 0;
  static final int BLOCK_OFFSET = Long.BYTES;

  private static final int FLUSH_OFFSET = 0;
  private static final int COUNT_OFFSET = Long.BYTES;
  private static final int VERBS_OFFSET = 2 * Long.BYTES;
  private static final int VERB_LENGTH = 4 * Long.BYTES;
  private static final int DONE_OFFSET = RECORD_LENGTH - 4 * Long.BYTES;
  private static final int KIND_SHIFT = 56;
  private static final int LOGICAL_SHIFT = 32;
  private static final int LOGICAL_MASK = 0xFF_FFFF;

  private IntentLayout() {}

  /** Begins a record of a flush. */
  public static void begin(MemorySegment to, long at, long flush) {
    to.set(ValueLayout.JAVA_LONG, at + FLUSH_OFFSET, flush);
    to.set(ValueLayout.JAVA_LONG, at + COUNT_OFFSET, 0);
  }

  /** Adds a verb, of which there are at most {@link #VERBS_MAX}. */
  public static void add(
      MemorySegment to,
      long at,
      int kind,
      int logical,
      long offset,
      int length,
      long operand,
      long expected) {
    int count = (int) to.get(ValueLayout.JAVA_LONG, at + COUNT_OFFSET);
    assert count < VERBS_MAX : "count=" + count;
    long verb = verb(at, count);
    to.set(
        ValueLayout.JAVA_LONG,
        verb,
        (long) kind << KIND_SHIFT | (long) logical << LOGICAL_SHIFT | length);
    to.set(ValueLayout.JAVA_LONG, verb + Long.BYTES, offset);
    to.set(ValueLayout.JAVA_LONG, verb + 2 * Long.BYTES, operand);
    to.set(ValueLayout.JAVA_LONG, verb + 3 * Long.BYTES, expected);
    to.set(ValueLayout.JAVA_LONG, at + COUNT_OFFSET, count + 1L);
  }

  /** Bytes of a record that are written at once; its marks are behind them. */
  public static int length(MemorySegment from, long at) {
    return VERBS_OFFSET + count(from, at) * VERB_LENGTH;
  }

  private static long verb(long at, int i) {
    return at + VERBS_OFFSET + (long) i * VERB_LENGTH;
  }

  static long flush(MemorySegment from, long at) {
    return from.get(ValueLayout.JAVA_LONG, at + FLUSH_OFFSET);
  }

  static int count(MemorySegment from, long at) {
    return (int) from.get(ValueLayout.JAVA_LONG, at + COUNT_OFFSET);
  }

  static int kind(MemorySegment from, long at, int i) {
    return (int) (from.get(ValueLayout.JAVA_LONG, verb(at, i)) >>> KIND_SHIFT);
  }

  static int logical(MemorySegment from, long at, int i) {
    return (int) (from.get(ValueLayout.JAVA_LONG, verb(at, i)) >>> LOGICAL_SHIFT) & LOGICAL_MASK;
  }

  static int length(MemorySegment from, long at, int i) {
    return (int) from.get(ValueLayout.JAVA_LONG, verb(at, i));
  }

  static long offset(MemorySegment from, long at, int i) {
    return from.get(ValueLayout.JAVA_LONG, verb(at, i) + Long.BYTES);
  }

  static long operand(MemorySegment from, long at, int i) {
    return from.get(ValueLayout.JAVA_LONG, verb(at, i) + 2 * Long.BYTES);
  }

  static long expected(MemorySegment from, long at, int i) {
    return from.get(ValueLayout.JAVA_LONG, verb(at, i) + 3 * Long.BYTES);
  }

  /** Where a record is marked as done, for a memory node as a primary or a backup. */
  public static int doneOffset(boolean isPrimary) {
    return DONE_OFFSET + (isPrimary ? Long.BYTES : 0);
  }

  /** Number of the flush that a record was last marked with. */
  static long done(MemorySegment from, long at, boolean isPrimary) {
    return from.get(ValueLayout.JAVA_LONG, at + doneOffset(isPrimary));
  }

  /** Offset of a record in its block. */
  static int recordOffset(int record) {
    return (record + 1) * RECORD_LENGTH;
  }

  /** Offset of an entry of the table in its memory node. */
  static long entryOffset(int entry) {
    return NodeHeaderLayout.INTENTS_OFFSET + (long) entry * ENTRY_LENGTH;
  }
}
