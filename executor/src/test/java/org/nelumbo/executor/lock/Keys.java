package org.nelumbo.executor.lock;

import java.math.BigInteger;

/** Keys with a given mixed value: the inverse of {@link LockWord#mix}. */
final class Keys {
  private static final long INVERSE =
      new BigInteger("9E3779B97F4A7C15", 16).modInverse(BigInteger.ONE.shiftLeft(64)).longValue();

  private Keys() {}

  static long mixedTo(long mixed) {
    return (mixed ^ mixed >>> 32) * INVERSE;
  }

  /**
   * Returns the n-th key of a small domain. With up to 128 buckets, keys 2k and 2k+1 share their
   * lock.
   */
  static long of(int n) {
    long fingerprint = 1000L + n / 2;
    int bucketAndRest = (n / 2 * 5 & 0x7f) | (n & 1) << 7;
    return mixedTo(fingerprint << 8 | bucketAndRest);
  }
}
