package org.nelumbo.dm.index.hash;

/**
 * Bits of a hash: the directory index comes from the top, the bucket from the bottom, the fingerprint from the middle. The LOTUS key is mixed first, since its low 12 bits are
 * the shard.
 */
final class Hash {
  private static final int FINGERPRINT_SHIFT = 20;
  private static final long FINGERPRINT_MASK = 0xFFFF;

  private Hash() {}

  static long of(long lotusKey) {
    long hash = (lotusKey ^ (lotusKey >>> 32)) * 0xD6E8FEB86659FD93L;
    hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
    return hash ^ (hash >>> 32);
  }

  static long prefix(long hash, int depth) {
    return depth == 0 ? 0 : hash >>> (64 - depth);
  }

  static long fingerprint(long hash) {
    return (hash >>> FINGERPRINT_SHIFT) & FINGERPRINT_MASK;
  }

  static int bucket(long hash, int logBuckets) {
    return (int) (hash & ((1L << logBuckets) - 1));
  }
}
