package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.pool.Channel;

/**
 * The timestamp service (LOTUS section 5): one global order. Timestamps have 56 bits: microseconds
 * since 2024-01-01 UTC, times 16, plus a count. Thread-safe.
 *
 * <p>Other compute nodes may draw timestamps, too. So there are two kinds of questions: what is
 * known here, which costs nothing, and what is so everywhere, for which the pool may have to be
 * asked through a channel, in one round trip.
 */
public interface Clock extends AutoCloseable {
  /** Starts what keeps the clock near physical time. */
  void start();

  /**
   * The largest timestamp that is known here. Others may have drawn larger ones; nobody here has.
   */
  long now();

  /**
   * A start timestamp: every commit timestamp that was drawn before this was called, anywhere, is
   * not above it, and those that are drawn after it are.
   */
  long read(Channel channel);

  /** A commit timestamp: larger than every timestamp given before, anywhere. */
  long next(Channel channel);

  /**
   * Posts drawing a commit timestamp behind what has been posted to a memory node, so that it costs
   * no round trip of its own. It is drawn when that is done there.
   *
   * @param node of all that has to be done before the timestamp is drawn; less than 0: of several
   * @return for {@link #drawn}; less than 0 if it is drawn then
   */
  int postNext(Channel channel, int node);

  /** The commit timestamp, after the flush. */
  long drawn(Channel channel, int posted);

  /**
   * The largest timestamp that is known here up to which nothing that is committed can be lost any
   * more. Who reads as of it has to wait for nobody's commit.
   */
  default long settled() {
    return now();
  }

  /** A start timestamp for who only reads: as {@link #read}, but for commits that may be lost. */
  default long readSettled(Channel channel) {
    return read(channel);
  }

  /** Makes every later timestamp larger than {@code timestamp}; nobody else has the pool. */
  void raiseTo(long timestamp);

  @Override
  void close();
}
