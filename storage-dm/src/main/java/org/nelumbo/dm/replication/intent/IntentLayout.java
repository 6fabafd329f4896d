package org.nelumbo.dm.replication.intent;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * Layout of intents in the memory of a memory node. The header of the node has a table of compute
 * nodes. Each compute node has a block of records, one for each flush that it may have in progress:
 *
 * <pre>
 *  table entry | tenant, 0: free | offset of the block in the memory node |
 *  block       | claim | left | repeated | heard | ... | void | void | ... 1 KiB | record | ...
 *  record      | flush | checksum (56 bits), verbs (8) | verb | verb | ... | done |
 *  verb        | kind (8 bits), logical node (24), length (32) | offset | operand | expected |
 * </pre>
 *
 * <dl>
 *   <dt>claim
 *   <dd>the tenant, or the complement of the tenant that completes its flushes
 *   <dt>left
 *   <dd>last view before which the compute node has left all views
 *   <dt>repeated
 *   <dd>last view in which it has repeated the unfinished flushes of earlier views
 *   <dt>heard
 *   <dd>last fill epoch that it has entered
 *   <dt>void
 *   <dd>for each record, the last flush that was done at all copies when intents began anew
 *   <dt>done
 *   <dd>completion mark: the number of the flush (34 bits), and one bit for each verb that the
 *       memory node has executed
 * </dl>
 */
public final class IntentLayout {
  public static final int RECORD_LENGTH = 1024;
  public static final int RECORDS = 31;
  public static final int BLOCK_LENGTH = (RECORDS + 1) * RECORD_LENGTH;

  /** Maximum number of verbs in an intent; more are split into several flushes. */
  public static final int VERBS_MAX = 30;

  public static final int WRITE = 1;
  public static final int WRITE_WORD = 2;
  public static final int CAS = 3;
  public static final int FAA = 4;

  /** Kind of a word write that releases a latch. The word has the expected value until then. */
  public static final int RELEASE = 5;

  static final int ENTRIES = NodeHeaderLayout.INTENT_ENTRIES;
  static final int ENTRY_LENGTH = NodeHeaderLayout.INTENT_ENTRY_LENGTH;
  static final int TENANT_OFFSET = 0;
  static final int BLOCK_OFFSET = Long.BYTES;

  /** Offsets of the words of a block about views and fill epochs. */
  public static final int LEFT_OFFSET = Long.BYTES;

  public static final int REPEATED_OFFSET = 2 * Long.BYTES;
  public static final int HEARD_OFFSET = 3 * Long.BYTES;

  /** Offset of the words with the last void flush of each record. */
  static final int VOID_OFFSET = 8 * Long.BYTES;

  private static final int FLUSH_OFFSET = 0;
  private static final int COUNT_OFFSET = Long.BYTES;
  private static final int VERBS_OFFSET = 2 * Long.BYTES;
  private static final int VERB_LENGTH = 4 * Long.BYTES;
  private static final int DONE_OFFSET = RECORD_LENGTH - Long.BYTES;
  private static final int KIND_SHIFT = 56;
  private static final int LOGICAL_SHIFT = 32;
  private static final int LOGICAL_MASK = 0xFF_FFFF;
  private static final int COUNT_BITS = 8;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private IntentLayout() {}

  /** Begins the record of a flush. */
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
    int count = count(to, at);
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

  /**
   * Returns the length of the part of a record that is written at once; the completion mark is
   * behind it.
   */
  public static int length(MemorySegment from, long at) {
    return VERBS_OFFSET + count(from, at) * VERB_LENGTH;
  }

  /**
   * Adds a checksum when all verbs were added, because a part of the record may be written to a
   * memory node.
   */
  public static void seal(MemorySegment to, long at) {
    to.set(ValueLayout.JAVA_LONG, at + COUNT_OFFSET, count(to, at) | checksum(to, at));
  }

  /** Returns true if a record was sealed and is complete. */
  static boolean isSealed(MemorySegment from, long at) {
    int count = count(from, at);
    return count > 0
        && count <= VERBS_MAX
        && from.get(ValueLayout.JAVA_LONG, at + COUNT_OFFSET) == (count | checksum(from, at));
  }

  private static long checksum(MemorySegment from, long at) {
    long sum = flush(from, at) * FACTOR;
    for (long word = verb(at, 0); word < verb(at, count(from, at)); word += Long.BYTES) {
      sum = (Long.rotateLeft(sum, 23) ^ from.get(ValueLayout.JAVA_LONG, word)) * FACTOR;
    }
    return sum & -1L << COUNT_BITS;
  }

  private static long verb(long at, int i) {
    return at + VERBS_OFFSET + (long) i * VERB_LENGTH;
  }

  /** Returns the number of the flush in a record. */
  public static long flush(MemorySegment from, long at) {
    return from.get(ValueLayout.JAVA_LONG, at + FLUSH_OFFSET);
  }

  static int count(MemorySegment from, long at) {
    return (int) from.get(ValueLayout.JAVA_LONG, at + COUNT_OFFSET) & (1 << COUNT_BITS) - 1;
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

  /** Returns the offset of the completion mark in a record. */
  public static int doneOffset() {
    return DONE_OFFSET;
  }

  /**
   * Returns the completion mark of a flush.
   *
   * @param verbs executed verbs, one bit per verb in the order in which they were added
   */
  public static long done(long flush, long verbs) {
    return flush << VERBS_MAX | verbs;
  }

  /** Returns the verbs that a memory node has executed of a flush, one bit per verb. */
  static long doneOf(MemorySegment from, long at, long flush) {
    long done = from.get(ValueLayout.JAVA_LONG, at + DONE_OFFSET);
    return done >>> VERBS_MAX == flush ? done & (1L << VERBS_MAX) - 1 : 0;
  }

  /** Returns the number of the last void flush of a record in a block. */
  static long lastVoid(MemorySegment from, long block, int record) {
    return from.get(ValueLayout.JAVA_LONG, block + VOID_OFFSET + (long) record * Long.BYTES);
  }

  static void setDone(MemorySegment to, long at, long flush, long verbs) {
    to.set(ValueLayout.JAVA_LONG, at + DONE_OFFSET, done(flush, verbs));
  }

  /** Returns the offset of a record in its block. */
  static int recordOffset(int record) {
    return (record + 1) * RECORD_LENGTH;
  }

  /** Returns the offset of a table entry in its memory node. */
  static long entryOffset(int entry) {
    return NodeHeaderLayout.INTENTS_OFFSET + (long) entry * ENTRY_LENGTH;
  }
}
