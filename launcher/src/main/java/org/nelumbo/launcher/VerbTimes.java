package org.nelumbo.launcher;

import java.util.Arrays;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Measures verbs of one kind on memory node 0 of a fabric. The verbs change nothing: a WRITE writes
 * zeros over zeros, and a CAS or a FAA leaves its word unchanged. Used by one thread.
 */
final class VerbTimes {
  /** Maximum number of verbs per flush. */
  static final int BATCH_MAX = 32;

  /** Maximum number of data bytes per verb. */
  static final int BYTES_MAX = 1024;

  static final int STAGING_BYTES = BATCH_MAX * BYTES_MAX;

  /** Minimum size of the node in bytes: verbs access its second quarter of a megabyte. */
  static final long NODE_BYTES = 1L << 20;

  private static final long PLACES_OFFSET = NODE_BYTES / 4;
  private static final int PLACES = 256;
  private static final int SAMPLES = 1 << 16;

  private final Channel channel;
  private final long[] samples = new long[SAMPLES];

  /** A one-sided verb. */
  enum Verb {
    READ,
    WRITE,
    CAS,
    FAA;

    /** Returns true if the verb always transfers a single word. */
    boolean isAtomic() {
      return this == CAS || this == FAA;
    }
  }

  /**
   * Measured times.
   *
   * @param medianNanos median time from the first verb of a flush to the completion of its last
   *     verb
   * @param highNanos 99th percentile of the same time
   * @param verbsPerSecond rate of verbs with one flush after the other
   */
  record Times(long medianNanos, long highNanos, double verbsPerSecond) {}

  VerbTimes(Channel channel) {
    this.channel = channel;
  }

  /** Measures flushes of a number of verbs, after a warm-up of a third of the measuring time. */
  Times measure(Verb verb, int bytes, int batch, long nanos) {
    repeat(verb, bytes, batch, nanos / 3);
    long start = System.nanoTime();
    long flushes = repeat(verb, bytes, batch, nanos);
    double seconds = (System.nanoTime() - start) / 1e9;
    int taken = (int) Math.min(flushes, SAMPLES);
    Arrays.sort(samples, 0, taken);
    return new Times(
        samples[taken / 2], samples[(int) (taken * 99L / 100)], flushes * batch / seconds);
  }

  private long repeat(Verb verb, int bytes, int batch, long nanos) {
    long start = System.nanoTime();
    long before = start;
    long flushes = 0;
    do {
      for (int i = 0; i < batch; i++) {
        post(verb, place(flushes * batch + i), i * BYTES_MAX, bytes);
      }
      channel.flush();
      long now = System.nanoTime();
      samples[(int) (flushes++ & (SAMPLES - 1))] = now - before;
      before = now;
    } while (before - start < nanos);
    return flushes;
  }

  private static long place(long number) {
    return PoolAddress.of(0, PLACES_OFFSET + number * 31 % PLACES * BYTES_MAX);
  }

  private void post(Verb verb, long address, int place, int bytes) {
    switch (verb) {
      case READ -> channel.read(address, place, bytes);
      case WRITE -> channel.write(address, place, bytes);
      case CAS -> channel.compareAndSwap(address, 0, 0, place);
      case FAA -> channel.fetchAndAdd(address, 0, place);
    }
  }
}
