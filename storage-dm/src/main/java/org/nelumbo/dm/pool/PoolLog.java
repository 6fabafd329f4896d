package org.nelumbo.dm.pool;

/**
 * A log of what is committed to a pool, which its memory node keeps on a disk: many compute nodes
 * append to it, and the node chooses the places. What frames and transactions are is for others to
 * know ({@code dm.redo}, {@code dm.layout}). Thread-safe.
 */
public interface PoolLog {
  /** A coordinator's way into the log. */
  Appender newAppender();

  /**
   * Waits until all that has a place in the log is on the disk.
   *
   * @throws FabricException if the memory node does not say so
   */
  void force();

  /**
   * Commit timestamp of a transaction that its coordinator did not end, if the log has it; 0 if
   * not. Its compute node has died, and is fenced. What is said is on the disk.
   *
   * @param transaction the last one of its coordinator
   * @throws FabricException if the memory node does not answer
   */
  long committed(long transaction);

  /**
   * Has the memory node forget what {@link #committed} tells: nobody is left to be asked for, and
   * the numbers of transactions begin anew.
   *
   * @throws FabricException if the memory node does not answer
   */
  void forgetCommitted();

  /**
   * The largest number of a store that has had rows in the log: who makes a store takes a larger
   * one, so that what the log has of another one does not count for it.
   *
   * @throws FabricException if the memory node does not answer
   */
  int lastStore();

  /**
   * Asks about the files of the log, to copy or to replace them ({@code dm.redo}).
   *
   * @throws FabricException if the memory node does not answer, or refuses
   */
  byte[] ask(byte[] question);

  /**
   * Gives all memory nodes the same log, before a pool is made from it. Nobody appends meanwhile.
   *
   * @return the log of one of them
   * @throws FabricException if one of them does not answer, or refuses
   */
  default PoolLog unify() {
    return this;
  }

  /** A coordinator's way into the log; for one thread. */
  interface Appender {
    /**
     * Appends a frame; {@link #await} comes next.
     *
     * @param transaction whose rows it has
     * @param frame without its place, which is written into the copy that the node makes
     * @param isForced whether to wait until the frame is on the disk, with all that lies before it
     * @throws FabricException if the memory node cannot be reached; the frame may be in the log
     */
    void send(long transaction, byte[] frame, int length, boolean isForced);

    /**
     * Waits until what was sent has its place.
     *
     * @throws FabricException if the memory node does not say so; the frame may be in the log
     */
    void await();

    /** Appends a frame, and waits until it has its place: as the two methods say. */
    default void append(long transaction, byte[] frame, int length, boolean isForced) {
      send(transaction, frame, length, isForced);
      await();
    }
  }
}
