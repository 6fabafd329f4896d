package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.pool.Channel;

/**
 * The clock of a pool that other compute nodes use, too. The thread that exchanges horizons keeps
 * it near physical time, by {@link #postRead}, {@link #learnRead} and {@link #tick}.
 */
public interface SharedClock extends Clock {
  /** Posts a READ of the clock, for {@link #learnRead} after the flush. */
  int postRead(Channel channel);

  /**
   * Returns a timestamp up to which all snapshots that are read after the posted READ see all
   * versions.
   */
  long learnRead(Channel channel, int offset);

  /**
   * Returns true if no compute node seems to have committed between the last two posted READs. For
   * the thread that posts them.
   */
  boolean wasQuiet();

  /** Raises the clock to physical time, in at most one round trip. For one thread. */
  void tick(Channel channel);

  /** Does nothing: the thread that exchanges horizons calls {@link #tick}. */
  @Override
  default void start() {}

  @Override
  default void close() {}
}
