package org.nelumbo.dm.index.hash;

/**
 * A bucket, 128 bytes, read with one READ; a segment is a power of two of them, in a row.
 *
 * <pre>
 *   0  | frozen (1) | depth (15) | prefix: the first {@code depth} bits of its keys' hashes (48) |
 *   8  | slot 0: fingerprint (16) | CVT address (48); 0 is empty                                 |
 *      | ... slot 14                                                                             |
 * </pre>
 *
 * A frozen bucket never changes again: its segment is being replaced, or has been.
 */
final class BucketLayout {
  static final int LENGTH = 128;
  static final int SLOTS_OFFSET = 8;
  static final int SLOTS = 15;
  static final long FROZEN = 1L << 63;
  private static final int DEPTH_SHIFT = 48;
  private static final long PREFIX_MASK = (1L << DEPTH_SHIFT) - 1;
  private static final int FINGERPRINT_SHIFT = 48;

  private BucketLayout() {}

  static long header(int depth, long prefix) {
    return ((long) depth << DEPTH_SHIFT) | prefix;
  }

  static boolean isFrozen(long header) {
    return header < 0;
  }

  /** Whether a key with this hash belongs into a bucket with this header. */
  static boolean holds(long header, long hash) {
    int depth = (int) ((header & ~FROZEN) >>> DEPTH_SHIFT);
    return Hash.prefix(hash, depth) == (header & PREFIX_MASK);
  }

  static long slot(long hash, long cvt) {
    return (Hash.fingerprint(hash) << FINGERPRINT_SHIFT) | cvt;
  }

  static long fingerprint(long slot) {
    return slot >>> FINGERPRINT_SHIFT;
  }

  static long cvt(long slot) {
    return slot & PREFIX_MASK;
  }
}
