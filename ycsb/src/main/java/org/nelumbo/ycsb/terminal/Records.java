package org.nelumbo.ycsb.terminal;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The records that there are, by number. Inserts take the next number, and acknowledge it once they
 * have committed; others ask for records below which all are acknowledged, so that nobody reads a
 * record that is not there. Thread-safe.
 */
public final class Records {
  private final AtomicInteger next;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<Integer> ahead = new TreeSet<>();
  private volatile int there;

  /** So many records were loaded, with the numbers from 0 on. */
  public Records(int loaded) {
    this.next = new AtomicInteger(loaded);
    this.there = loaded;
  }

  /** The number of a record that is going to be inserted. */
  public int take() {
    return next.getAndIncrement();
  }

  /** A record that was taken is there. */
  public void acknowledge(int record) {
    lock.lock();
    try {
      ahead.add(record);
      int count = there;
      while (!ahead.isEmpty() && ahead.first() == count) {
        ahead.pollFirst();
        count++;
      }
      there = count;
    } finally {
      lock.unlock();
    }
  }

  /** All records with lower numbers are there. */
  public int there() {
    return there;
  }
}
