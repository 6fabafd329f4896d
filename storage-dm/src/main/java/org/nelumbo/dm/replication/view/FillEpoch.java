package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A fill epoch: one step of filling a memory node while several compute nodes share the pool. It
 * states which writes also go to the node being filled, and the range behind a write barrier. The
 * filling compute node publishes the epochs one after the other at the first live memory node.
 * Another kind of epoch, which fills no node, coordinates writing a checkpoint to the logs of all
 * memory nodes. Immutable.
 *
 * <pre>
 *    0 | number, larger than that of the previous epoch
 *    8 | number of the view in which it holds
 *   16 | memory node (32 bits, -1: none), 1: invitation to connect, 2: the node is being filled
 *   24 | incarnation of the memory node
 *   32 | log appends (32 bits), slot that is being filled; earlier slots are complete
 *   40 | bytes of that slot that are filled
 *   48 | begin of the write barrier in that slot
 *   56 | end of the write barrier
 *   64 | checksum of all preceding words
 * </pre>
 *
 * @param number epoch number, larger than that of the previous epoch
 * @param view number of the view in which the epoch holds
 * @param node memory node that is filled, or {@link #NO_NODE}
 * @param isInvitation true if the node is not being filled yet, and all members have to connect to
 *     it first
 * @param incarnation incarnation of the memory node
 * @param slot slot that is being filled; earlier slots are complete
 * @param filled filled bytes of that slot
 * @param from offset in that slot where the write barrier begins
 * @param to offset where the write barrier ends, exclusive
 * @param appends destination of log appends
 */
public record FillEpoch(
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
  /** Destination of appends to the logs of memory nodes. */
  public enum Appends {
    /** Appends go to the live nodes. */
    FREE,
    /** Appends are blocked. */
    HELD,
    /** Appends also go to the node that is being filled. */
    JOINED,
    /** Appends go to the live nodes, whose logs have received a checkpoint. */
    MARKED
  }

  public static final int LENGTH = 9 * Long.BYTES;

  /** The epoch in which no node is being filled. */
  public static final FillEpoch NONE = new FillEpoch(0, 0, 0, true, 0, 0, 0, 0, 0);

  /** Memory node number of an epoch that fills no node. */
  public static final int NO_NODE = -1;

  private static final int WORDS = LENGTH / Long.BYTES - 1;
  private static final int INVITED = 1;
  private static final int FILLING = 2;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** Creates an epoch in which appends go to the live nodes. */
  public FillEpoch(
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

  /** Returns the next epoch, which differs only in its treatment of appends. */
  public FillEpoch next(Appends other) {
    return new FillEpoch(
        number + 1, view, node, isInvitation, incarnation, slot, filled, from, to, other);
  }

  /** Returns the destination of appends in a view. */
  public Appends appendsIn(long viewNumber) {
    return view == viewNumber ? appends : Appends.FREE;
  }

  /** Returns true if a write to this offset of a slot also has to go to the node. */
  public boolean covers(int where, long offset) {
    return where < slot || (where == slot && offset < filled);
  }

  /** Returns true if the write barrier blocks writes to a range. */
  public boolean holds(int where, long offset, int length) {
    return where == slot && offset < to && from < offset + length;
  }

  /** Encodes the epoch into {@link #LENGTH} bytes. */
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

  /** Decodes an epoch. Returns {@link #NONE} if there is none, or if it is only partly written. */
  public static FillEpoch read(MemorySegment from, long at) {
    long[] words =
        from.asSlice(at, (long) WORDS * Long.BYTES).toArray(ValueLayout.JAVA_LONG_UNALIGNED);
    long checksum = from.get(ValueLayout.JAVA_LONG, at + (long) WORDS * Long.BYTES);
    if (words[0] == 0 || checksum != checksum(words)) {
      return NONE;
    }
    return new FillEpoch(
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
