package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A run second by second, from the start of the terminals. Each terminal counts separately and
 * hands over an interval after its end, so that the lock is taken once a second and not once a
 * transaction. Any thread may read.
 */
public final class Timeline {
  /**
   * Maximum number of intervals. A longer run has longer intervals, because more of them would take
   * memory and could not be displayed.
   */
  static final int INTERVALS_MAX = 900;

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private final Duration width;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Interval> intervals = new ArrayList<>(); // guarded by lock

  /** Creates a timeline for a run of at most this duration. */
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

  /** Adds timelines that have intervals of the same length and began together. */
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

  /** Returns the length of an interval: one second, or several in a run of more than 15 minutes. */
  public Duration width() {
    return width;
  }

  /** Creates the recorder of one terminal. */
  Recorder recorder(long startNanos) {
    return new Recorder(startNanos);
  }

  /**
   * Reads the sum of interval {@code index} so far into an object of the caller.
   *
   * @return false if the interval has no data yet
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

  /** Returns the number of intervals that have data so far. */
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

  /** The counts of one terminal; used by its thread only. */
  final class Recorder {
    private final Interval current = new Interval();
    private final long start;
    private long currentEnd;
    private int index;

    private Recorder(long startNanos) {
      this.start = startNanos;
      this.currentEnd = startNanos + width.toNanos();
    }

    /** Returns the interval of this instant. Hands over earlier counts first. */
    Interval at(long now) {
      if (now - currentEnd >= 0) {
        handOver();
        index = (int) ((now - start) / width.toNanos());
        currentEnd = start + (index + 1) * width.toNanos();
      }
      return current;
    }

    /** Hands over the counts so far. Called at the end, or before a long pause. */
    void handOver() {
      add(index, current);
      current.reset();
    }
  }
}
