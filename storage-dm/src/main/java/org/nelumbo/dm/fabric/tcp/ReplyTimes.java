package org.nelumbo.dm.fabric.tcp;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Response times of a memory node over all its connections, and the silence limit derived from
 * them: a node that has always responded at once counts as hung after a short silence, a slow one
 * after a longer silence. The limit is {@value #FACTOR} times the longest response time of the last
 * 10 to 20 seconds, between a floor and a ceiling.
 *
 * <p>Thread-safe. If threads add at the same time, a sample may be lost.
 */
final class ReplyTimes {
  static final long WINDOW_NANOS = 10_000_000_000L;
  static final int FACTOR = 4;

  /** A time longer than any lease. */
  private static final long LONG_AGO_NANOS = 1L << 60;

  private final long floorNanos;
  private final long ceilingNanos;
  private final AtomicLong windowStart;
  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong longestBefore = new AtomicLong();
  private final AtomicLong sum = new AtomicLong();
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong meanBefore = new AtomicLong();

  /** Latest send time among the requests that have a response. */
  private final AtomicLong lastSent;

  /** True after a connection has failed, which the node may have detected as well. */
  private volatile boolean hasFailed;

  /** Number of connections with an overdue response. */
  private final AtomicInteger late = new AtomicInteger();

  ReplyTimes(long floorNanos, long ceilingNanos, long now) {
    this.floorNanos = Math.min(floorNanos, ceilingNanos);
    this.ceilingNanos = ceilingNanos;
    this.windowStart = new AtomicLong(now);
    this.lastSent = new AtomicLong(now - LONG_AGO_NANOS);
  }

  /**
   * Records a response.
   *
   * @param sent time at which its request was sent
   * @param now time at which it was received
   */
  void add(long sent, long now) {
    long start = windowStart.getOpaque();
    if (now - start > WINDOW_NANOS && windowStart.compareAndSet(start, now)) {
      boolean isNext = now - start <= 2 * WINDOW_NANOS;
      longestBefore.setOpaque(isNext ? longest.getOpaque() : 0);
      meanBefore.setOpaque(isNext ? mean() : 0);
      longest.setOpaque(0);
      sum.setOpaque(0);
      count.setOpaque(0);
    }
    if (sent - lastSent.getOpaque() > 0) {
      lastSent.setOpaque(sent);
    }
    long nanos = now - sent;
    if (nanos > longest.getOpaque()) {
      longest.setOpaque(nanos);
    }
    sum.setOpaque(sum.getOpaque() + nanos);
    count.setOpaque(count.getOpaque() + 1);
  }

  private long mean() {
    long replies = count.getOpaque();
    return replies == 0 ? 0 : sum.getOpaque() / replies;
  }

  /** Returns the mean response time of the last seconds; 0 if there was no response. */
  long meanNanos() {
    return Math.max(mean(), meanBefore.getOpaque());
  }

  /** Returns the silence after which the node counts as hung. */
  long silenceLimitNanos() {
    long most = Math.max(longest.getOpaque(), longestBefore.getOpaque());
    return Math.clamp(FACTOR * most, floorNanos, ceilingNanos);
  }

  /**
   * Returns an upper bound of the time since the latest request was sent that has a response: if
   * threads add at the same time, the later one may be lost. The result is longer than any lease if
   * a connection has failed.
   */
  long sinceSentNanos(long now) {
    return hasFailed ? LONG_AGO_NANOS : now - lastSent.getOpaque();
  }

  /**
   * Records that a connection has failed. Called before the connection is closed, which the node
   * may detect.
   */
  void setFailed() {
    hasFailed = true;
  }

  /** Changes the number of connections with an overdue response. */
  void addLate(int connections) {
    late.addAndGet(connections);
  }

  /** Returns true if a response is overdue. */
  boolean isLate() {
    return late.get() > 0;
  }
}
