package org.nelumbo.dm.fabric.tcp;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Answer times of a memory node over all its connections, and the silence limit that follows from
 * them: who has always answered at once hangs if nothing comes for a short time, who was slow is
 * waited for longer. The limit is {@value #FACTOR} times the longest time that an answer took in
 * the last 10 to 20 seconds, between a floor and a ceiling.
 *
 * <p>Thread-safe. Threads that add at the same time may lose a sample to each other.
 */
final class AnswerTimes {
  static final long WINDOW_NANOS = 10_000_000_000L;
  static final int FACTOR = 4;

  /** Longer than any lease. */
  private static final long LONG_AGO_NANOS = 1L << 60;

  private final long floorNanos;
  private final long ceilingNanos;
  private final AtomicLong windowStart;
  private final AtomicLong longest = new AtomicLong();
  private final AtomicLong longestBefore = new AtomicLong();
  private final AtomicLong sum = new AtomicLong();
  private final AtomicLong count = new AtomicLong();
  private final AtomicLong meanBefore = new AtomicLong();

  /** When the latest of the requests was sent that were answered. */
  private final AtomicLong lastSent;

  /** Whether a connection has failed: the node may have noticed that, too. */
  private volatile boolean hasFailed;

  /** Connections on which an answer is overdue. */
  private final AtomicInteger late = new AtomicInteger();

  AnswerTimes(long floorNanos, long ceilingNanos, long now) {
    this.floorNanos = Math.min(floorNanos, ceilingNanos);
    this.ceilingNanos = ceilingNanos;
    this.windowStart = new AtomicLong(now);
    this.lastSent = new AtomicLong(now - LONG_AGO_NANOS);
  }

  /** An answer came now, to what was sent then. */
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
    long answers = count.getOpaque();
    return answers == 0 ? 0 : sum.getOpaque() / answers;
  }

  /** Mean time to an answer in the last seconds; 0 if there was none. */
  long meanNanos() {
    return Math.max(mean(), meanBefore.getOpaque());
  }

  /** Silence after which the node is taken for hung. */
  long silenceLimitNanos() {
    long most = Math.max(longest.getOpaque(), longestBefore.getOpaque());
    return Math.clamp(FACTOR * most, floorNanos, ceilingNanos);
  }

  /**
   * Returns how long ago a request was sent that has been answered, at most: threads that add at
   * the same time may lose the later one. Longer than any lease if a connection has failed.
   */
  long sinceSentNanos(long now) {
    return hasFailed ? LONG_AGO_NANOS : now - lastSent.getOpaque();
  }

  /** A connection has failed; called before it is closed, which the node may notice. */
  void setFailed() {
    hasFailed = true;
  }

  /** An answer on one more connection is overdue, or on one fewer. */
  void addLate(int connections) {
    late.addAndGet(connections);
  }

  /** Whether an answer is overdue. */
  boolean isLate() {
    return late.get() > 0;
  }
}
