package org.nelumbo.dm.layout;

/**
 * A segment of a hash index: 8 KiB, 64-byte aligned; a head of 256 bytes and 124 lines of 64 bytes.
 *
 * <pre>
 *    0  latch: owner (32) | 0 (16) | state (8) | local depth (8)
 *    8  identity: magic (16) | depth at birth (8) | 0 (8) | suffix (32)
 *   16  split intent: the new segment of an unfinished split if its birth depth is larger than this
 *       segment's depth; otherwise the new segment of a finished split
 *   24  copy: in a new segment, the image that its parent's lines are overwritten with
 *       (meaningless once the parent's split is finished)
 *   32  0 (4 words)
 *   64  children: word j is the segment that received the keys with bit j set when this segment
 *       split from depth j to j + 1 (24 words)
 *  256  line 0: header, 7 slots
 *  320  line 1: 8 slots
 *  384  line 2: header, 7 slots ...
 * </pre>
 *
 * A key has a home line h of 0 to 122; its entry is in line h or h + 1: the <em>window</em> of 128
 * contiguous bytes that one READ fetches. Whether h is even or odd, a window holds exactly one line
 * header and 15 slots (see {@link HashSlotLayout}). Entries without room in the window are in the
 * chain of overflow blocks that starts at this header; the two homes that share a header share the
 * chain. An overflow block is 128 bytes: a header, whose address is the next block, and 15 slots.
 *
 * <p>A segment never moves and stays a segment of its index until the index is dropped. Its depth
 * only increases, and each split keeps the keys whose next bit is 0. Hence the address of a segment
 * together with its depth determines which keys belong there, and a stale copy of the directory is
 * harmless.
 *
 * <p>In a <em>copy</em> (the redo image of a split, never part of the index) words 4 to 31 hold the
 * overflow blocks at the heads of the chains that the split replaces.
 */
public final class HashSegmentLayout {
  public static final int LENGTH = 8192;
  public static final int SIZE_CLASS = SizeClass.of(LENGTH);

  public static final int LATCH_OFFSET = 0;
  public static final int IDENTITY_OFFSET = LATCH_OFFSET + Long.BYTES;
  public static final int SPLIT_INTENT_OFFSET = IDENTITY_OFFSET + Long.BYTES;
  public static final int COPY_OFFSET = SPLIT_INTENT_OFFSET + Long.BYTES;

  /** The second cache line of the head; the rest of the first one is 0. */
  public static final int CHILDREN_OFFSET = LATCH_OFFSET + 64;

  /** Maximum depth of a segment: 2^24 segments hold over ten thousand million entries. */
  public static final int MAX_DEPTH = 24;

  public static final int LINES_OFFSET = CHILDREN_OFFSET + MAX_DEPTH * Long.BYTES;
  public static final int LINE_LENGTH = 64;
  public static final int LINE_WORDS = LINE_LENGTH / Long.BYTES;
  public static final int LINES = (LENGTH - LINES_OFFSET) / LINE_LENGTH;
  public static final int HEADERS = LINES / 2;
  public static final int SLOTS = LINES * LINE_WORDS - HEADERS;
  public static final int HOMES = LINES - 1;
  public static final int WINDOW_LENGTH = 2 * LINE_LENGTH;
  public static final int WINDOW_WORDS = WINDOW_LENGTH / Long.BYTES;

  public static final int COPY_CHAINS_OFFSET = COPY_OFFSET + Long.BYTES;
  public static final int COPY_CHAINS = (LINES_OFFSET - COPY_CHAINS_OFFSET) / Long.BYTES;

  public static final int BLOCK_LENGTH = WINDOW_LENGTH;
  public static final int BLOCK_SIZE_CLASS = SizeClass.of(BLOCK_LENGTH);
  public static final int BLOCK_SLOTS = WINDOW_WORDS - 1;

  public static final int STATE_FREE = 0;
  public static final int STATE_LATCHED = 1;
  public static final int STATE_BORN = 2;

  private static final int OWNER_SHIFT = 32;
  private static final int STATE_SHIFT = 8;
  private static final int BYTE = 0xFF;
  private static final long MAGIC = 0x4E48L;
  private static final int MAGIC_SHIFT = 48;
  private static final int BIRTH_SHIFT = 40;

  private HashSegmentLayout() {}

  /**
   * Returns the offset of a line in its segment, which is also that of the window of that home
   * line.
   */
  public static int lineOffset(int line) {
    return LINES_OFFSET + line * LINE_LENGTH;
  }

  /** Returns the line whose header is in the window of a home line. */
  public static int headerLine(int home) {
    return (home + 1) & ~1;
  }

  /** Returns the offset of the line header in the window of a home line. */
  public static int headerOffsetInWindow(int home) {
    return (home & 1) * LINE_LENGTH;
  }

  public static int childOffset(int bit) {
    return CHILDREN_OFFSET + bit * Long.BYTES;
  }

  /** Returns the latch word of an unlatched segment; a comparison with it also checks the depth. */
  public static long freeLatch(int depth) {
    return depth;
  }

  public static long latch(int owner, int state, int depth) {
    return ((long) owner << OWNER_SHIFT) | ((long) state << STATE_SHIFT) | depth;
  }

  public static int latchOwner(long latch) {
    return (int) (latch >>> OWNER_SHIFT);
  }

  public static int latchState(long latch) {
    return (int) (latch >>> STATE_SHIFT) & BYTE;
  }

  public static int latchDepth(long latch) {
    return (int) latch & BYTE;
  }

  public static long identity(int suffix, int birthDepth) {
    return (MAGIC << MAGIC_SHIFT) | ((long) birthDepth << BIRTH_SHIFT) | (suffix & 0xFFFFFFFFL);
  }

  static boolean isIdentity(long identity) {
    return identity >>> MAGIC_SHIFT == MAGIC;
  }

  public static int suffix(long identity) {
    return (int) identity;
  }

  public static int birthDepth(long identity) {
    return (int) (identity >>> BIRTH_SHIFT) & BYTE;
  }
}
