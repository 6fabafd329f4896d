package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A run second by second, from the start of the terminals on. Terminals count for themselves and
 * hand an interval over when it is past, which takes the lock once a second and not once a
 * transaction. Any thread may read.
 */
public final class Timeline {
  /** A longer run has longer intervals: more would fill memory and no screen could show them. */
  static final int INTERVALS_MAX = 900;

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Duration width;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Interval> intervals = new ArrayList<>(); // under the lock

  /** A timeline of a run that lasts at most so long. */
  Timeline(Duration longest) {
    long seconds = Math.ceilDiv(longest.toSeconds(), INTERVALS_MAX);
    this.width = seconds <= 1 ? SHORTEST : Duration.ofSeconds(seconds);
  }

  private Timeline(long widthNanos) {
    this.width = Duration.ofNanos(widthNanos);
  }

  void write(DataOutputStream out) throws IOException {
    lock.lock();
    try {
      out.writeLong(width.toNanos());
      out.writeInt(intervals.size());
      for (Interval each : intervals) {
        each.write(out);
      }
    } finally {
      lock.unlock();
    }
  }

  static Timeline read(DataInputStream in) throws IOException {
    Timeline read = new Timeline(in.readLong());
    int count = in.readInt();
    for (int index = 0; index < count; index++) {
      read.add(index, Interval.read(in));
    }
    return read;
  }

  /** A timeline of several that have intervals of one length, and began together. */
  static Timeline sum(List<Timeline> parts) {
    Timeline sum = new Timeline(parts.getFirst().width.toNanos());
    Interval part = new Interval();
    for (Timeline each : parts) {
      for (int index = 0; each.read(index, part); index++) {
        sum.add(index, part);
      }
    }
    return sum;
  }

  /** The length of an interval: a second, or several in a run of more than 15 minutes. */
  public Duration width() {
    return width;
  }

  /** The part of one terminal. */
  Recorder recorder(long startNanos) {
    return new Recorder(startNanos);
  }

  /**
   * What ended in interval {@code index} so far, added up in an object of the caller's.
   *
   * @return false if nothing is known of it yet
   */
  public boolean read(int index, Interval into) {
    into.reset();
    lock.lock();
    try {
      if (index < 0 || index >= intervals.size()) {
        return false;
      }
      into.add(intervals.get(index));
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Number of intervals known so far. */
  public int size() {
    lock.lock();
    try {
      return intervals.size();
    } finally {
      lock.unlock();
    }
  }

  private void add(int index, Interval part) {
    lock.lock();
    try {
      while (intervals.size() <= index) {
        intervals.add(new Interval());
      }
      intervals.get(index).add(part);
    } finally {
      lock.unlock();
    }
  }

  /** Counts for one terminal; used by its thread only. */
  final class Recorder {
    private final Interval current = new Interval();
    private final long start;
    private long currentEnd;
    private int index;

    private Recorder(long startNanos) {
      this.start = startNanos;
      this.currentEnd = startNanos + width.toNanos();
    }

    /** The interval of this instant; what came before is handed over. */
    Interval at(long now) {
      if (now - currentEnd >= 0) {
        handOver();
        index = (int) ((now - start) / width.toNanos());
        currentEnd = start + (index + 1) * width.toNanos();
      }
      return current;
    }

    /** Hands over what has been counted; at the end, or before a long silence. */
    void handOver() {
      add(index, current);
      current.reset();
    }
  }
}
