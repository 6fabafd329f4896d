package org.nelumbo.ycsb.terminal;

import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The existing records, by number. An insert takes the next number, and acknowledges it after its
 * commit. Reads use only numbers below which all records are acknowledged, so that they never
 * access a record that does not exist. Thread-safe.
 */
public final class Records {
  private final AtomicInteger next;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeSet<Integer> ahead = new TreeSet<>();
  private volatile int there;

  /** Creates the records after a load, which have the numbers from 0. */
  public Records(int loaded) {
    this.next = new AtomicInteger(loaded);
    this.there = loaded;
  }

  /** Takes the number of a record that will be inserted. */
  public int take() {
    return next.getAndIncrement();
  }

  /** Reports that a record with a taken number has been inserted. */
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

  /** Returns the bound below which all records exist. */
  public int there() {
    return there;
  }
}
