package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.pool.Channel;

/**
 * The timestamp service (LOTUS section 5), which defines one global order. Timestamps have 56 bits:
 * microseconds since 2024-01-01 UTC, times 16, plus a count. Thread-safe.
 *
 * <p>Other compute nodes may draw timestamps, too. So there are two kinds of methods. Some return
 * the local state, at no cost. Others return the global state, for which they may have to access
 * the pool through a channel, in one round trip.
 */
public interface Clock extends AutoCloseable {
  /** Starts the thread that keeps the clock near physical time. */
  void start();

  /**
   * Returns the largest timestamp that is known here. Other compute nodes may have drawn larger
   * ones; this one has not.
   */
  long now();

  /**
   * Returns a start timestamp: every commit timestamp that was drawn anywhere before this call is
   * not above it, and every one that is drawn after it is.
   */
  long read(Channel channel);

  /** Returns a commit timestamp, which is larger than every timestamp returned before, anywhere. */
  long next(Channel channel);

  /**
   * Posts the drawing of a commit timestamp behind the verbs already posted to a memory node, so
   * that it costs no round trip of its own. The timestamp is drawn when these verbs have taken
   * effect.
   *
   * @param node memory node of all verbs that must precede the drawing; negative if there are
   *     several
   * @return handle for {@link #drawn}; negative if the timestamp is drawn only there
   */
  int postNext(Channel channel, int node);

  /** Returns the commit timestamp, after the flush. */
  long drawn(Channel channel, int posted);

  /**
   * Returns the largest timestamp known here up to which no commit can be lost. A reader as of this
   * timestamp need not wait for any commit.
   */
  default long settled() {
    return now();
  }

  /**
   * Returns a start timestamp for read-only transactions: the same as {@link #read}, but without
   * commits that may be lost.
   */
  default long readSettled(Channel channel) {
    return read(channel);
  }

  /** Makes every later timestamp larger than {@code timestamp}. The pool must be exclusive. */
  void raiseTo(long timestamp);

  @Override
  void close();
}
