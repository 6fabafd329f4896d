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
 *   block       | claim | left | repeated | heard | ... 1 KiB | record | record | ...
 *   record      | flush | verbs | verb | verb | ... | done |
 *   verb        | kind (8 bits), logical node (24), length (32) | offset | operand | expected |
 * </pre>
 *
 * The claim is the tenant, or the complement of that of a compute node that ends its flushes. The
 * next words are the last view for which it has left those before, the last in which it has done
 * again what these have not ended, and the last step of filling a memory node that it is at. What
 * is done has the number of the flush (34 bits), and a bit for each of the verbs that the memory
 * node has done.
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

  /** Of the words of a block about views. */
  public static final int LEFT_OFFSET = Long.BYTES;

  public static final int REPEATED_OFFSET = 2 * Long.BYTES;
  public static final int HEARD_OFFSET = 3 * Long.BYTES;

  private static final int FLUSH_OFFSET = 0;
  private static final int COUNT_OFFSET = Long.BYTES;
  private static final int VERBS_OFFSET = 2 * Long.BYTES;
  private static final int VERB_LENGTH = 4 * Long.BYTES;
  private static final int DONE_OFFSET = RECORD_LENGTH - Long.BYTES;
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

  /** Where it is marked in a record what is done. */
  public static int doneOffset() {
    return DONE_OFFSET;
  }

  /**
   * Mark of what a memory node has done of a flush.
   *
   * @param verbs a bit each, in the order in which they were added
   */
  public static long done(long flush, long verbs) {
    return flush << VERBS_MAX | verbs;
  }

  /** What a memory node has done of a flush, a bit for each verb. */
  static long doneOf(MemorySegment from, long at, long flush) {
    long done = from.get(ValueLayout.JAVA_LONG, at + DONE_OFFSET);
    return done >>> VERBS_MAX == flush ? done & (1L << VERBS_MAX) - 1 : 0;
  }

  static void setDone(MemorySegment to, long at, long flush, long verbs) {
    to.set(ValueLayout.JAVA_LONG, at + DONE_OFFSET, done(flush, verbs));
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
