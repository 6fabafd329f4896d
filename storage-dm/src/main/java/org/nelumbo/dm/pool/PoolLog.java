package org.nelumbo.dm.pool;

/**
 * A log of the commits of a pool, which its memory node keeps on a disk. Many compute nodes append
 * to it; the node assigns the offsets. The content of frames and transactions is defined in other
 * packages ({@code dm.redo}, {@code dm.layout}). Thread-safe.
 */
public interface PoolLog {
  /** Creates an appender for a coordinator. */
  Appender newAppender();

  /**
   * Waits until every frame with an assigned offset is durable.
   *
   * @throws FabricException if the memory node does not confirm
   */
  void force();

  /**
   * Returns the commit timestamp of an unfinished transaction, if the log contains it; 0 otherwise.
   * The transaction's compute node has failed and is fenced. A timestamp that is returned is
   * durable.
   *
   * @param transaction the last one of its coordinator
   * @throws FabricException if the memory node does not respond
   */
  long committed(long transaction);

  /**
   * Makes the memory node discard the data behind {@link #committed}: no unfinished transaction is
   * left to resolve, and transaction numbers start anew.
   *
   * @throws FabricException if the memory node does not respond
   */
  void forgetCommitted();

  /**
   * Returns the largest number of a store that ever had rows in the log. A new store takes a larger
   * number, so that rows of another store in the log do not count for it.
   *
   * @throws FabricException if the memory node does not respond
   */
  int lastStore();

  /**
   * Sends a request about the files of the log, to copy or replace them ({@code dm.redo}), and
   * returns the response.
   *
   * @throws FabricException if the memory node does not respond, or refuses
   */
  byte[] ask(byte[] question);

  /**
   * Makes the logs of all memory nodes equal, before a pool is made from them. No thread appends
   * meanwhile.
   *
   * @return the log of one of them
   * @throws FabricException if one of them does not respond, or refuses
   */
  default PoolLog unify() {
    return this;
  }

  /** Appends a coordinator's frames to the log; for one thread. */
  interface Appender {
    /**
     * Sends a frame; {@link #await} must follow.
     *
     * @param transaction the transaction whose rows are in the frame
     * @param frame the frame without its offset, which the node writes into its copy
     * @param isForced whether to wait until the frame, with everything before it, is durable
     * @throws FabricException if the memory node cannot be reached; the frame may be in the log
     */
    void send(long transaction, byte[] frame, int length, boolean isForced);

    /**
     * Waits until the frame that was sent has its offset in the log.
     *
     * @throws FabricException if the memory node does not confirm; the frame may be in the log
     */
    void await();

    /** Appends a frame and waits until it has its offset: {@link #send}, then {@link #await}. */
    default void append(long transaction, byte[] frame, int length, boolean isForced) {
      send(transaction, frame, length, isForced);
      await();
    }
  }
}
