package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Step of filling a memory node while several compute nodes share the pool: what is written to the
 * node from now on, and where nobody writes for the moment. Whoever fills publishes one after the
 * other at the first live memory node. Steps of another kind, for which no node is filled, put a
 * mark into the logs of all memory nodes. Immutable.
 *
 * <pre>
 *    0 | number: larger than that of the step before
 *    8 | number of the view in which it holds
 *   16 | memory node (32 bits, -1: none), 1: others are invited to it, 2: it is being filled
 *   24 | incarnation of the memory node
 *   32 | appends to the logs (32 bits), slot that is being filled; those before are whole
 *   40 | bytes of that slot that are filled
 *   48 | from where in that slot nobody writes
 *   56 | to where
 *   64 | checksum of all that
 * </pre>
 *
 * @param number larger than that of the step before
 * @param view in which it holds
 * @param node memory node
 * @param isInvitation whether it is not being filled yet: all are to connect to it first
 * @param incarnation of the memory node
 * @param slot that is being filled; those before are whole
 * @param filled bytes of that slot
 * @param from where in that slot nobody writes
 * @param to where: not there any more
 * @param appends what becomes of what is appended to the logs
 */
public record FillStep(
    long number,
    long view,
    int node,
    boolean isInvitation,
    long incarnation,
    int slot,
    long filled,
    long from,
    long to,
    Appends appends) {
  /** What becomes of what is appended to the logs of memory nodes. */
  public enum Appends {
    /** It goes to the live nodes. */
    FREE,
    /** Nobody appends for the moment. */
    HELD,
    /** It goes to the node that is being filled, too. */
    JOINED,
    /** It goes to the live nodes, which have been given a mark. */
    MARKED
  }

  public static final int LENGTH = 9 * Long.BYTES;

  /** Nothing is being filled. */
  public static final FillStep NONE = new FillStep(0, 0, 0, true, 0, 0, 0, 0, 0);

  /** Memory node of a step with which none is filled. */
  public static final int NO_NODE = -1;

  private static final int WORDS = LENGTH / Long.BYTES - 1;
  private static final int INVITED = 1;
  private static final int FILLING = 2;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** A step with which appends go to the live nodes. */
  public FillStep(
      long number,
      long view,
      int node,
      boolean isInvitation,
      long incarnation,
      int slot,
      long filled,
      long from,
      long to) {
    this(number, view, node, isInvitation, incarnation, slot, filled, from, to, Appends.FREE);
  }

  /** The next step, with which something else becomes of appends. */
  public FillStep next(Appends other) {
    return new FillStep(
        number + 1, view, node, isInvitation, incarnation, slot, filled, from, to, other);
  }

  /** What becomes of appends in a view. */
  public Appends appendsIn(long viewNumber) {
    return view == viewNumber ? appends : Appends.FREE;
  }

  /** Whether what is written at that offset of a slot has to be written to the node, too. */
  public boolean covers(int where, long offset) {
    return where < slot || (where == slot && offset < filled);
  }

  /** Whether nobody writes there for the moment. */
  public boolean holds(int where, long offset, int length) {
    return where == slot && offset < to && from < offset + length;
  }

  /** Encodes it. */
  public void write(MemorySegment to, long at) {
    long[] words = words();
    MemorySegment.copy(words, 0, to, ValueLayout.JAVA_LONG, at, WORDS);
    to.set(ValueLayout.JAVA_LONG, at + (long) WORDS * Long.BYTES, checksum(words));
  }

  private long[] words() {
    return new long[] {
      number,
      view,
      (long) node << Integer.SIZE | (isInvitation ? INVITED : FILLING),
      incarnation,
      (long) appends.ordinal() << Integer.SIZE | slot,
      filled,
      from,
      to
    };
  }

  /** Decodes one; {@link #NONE} if there is none, or it was being written. */
  public static FillStep read(MemorySegment from, long at) {
    long[] words =
        from.asSlice(at, (long) WORDS * Long.BYTES).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    long checksum = from.get(ValueLayout.JAVA_LONG, at + (long) WORDS * Long.BYTES);
    if (words[0] == 0 || checksum != checksum(words)) {
      return NONE;
    }
    return new FillStep(
        words[0],
        words[1],
        (int) (words[2] >>> Integer.SIZE),
        (int) words[2] == INVITED,
        words[3],
        (int) words[4],
        words[5],
        words[6],
        words[7],
        Appends.values()[(int) (words[4] >>> Integer.SIZE)]);
  }

  private static long checksum(long[] words) {
    long sum = 0;
    for (long word : words) {
      sum = (Long.rotateLeft(sum, 23) ^ word) * FACTOR;
    }
    return sum;
  }
}
