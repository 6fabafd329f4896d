package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/**
 * The hash of a LOTUS key, and the parts of it that determine segment, line and fingerprint. The
 * low 12 bits of the key are the shard and take few values, so the key is mixed first (by a
 * bijection: different keys stay different).
 *
 * <pre>
 *  63                       36 35          24 23                    0
 * +---------------------------+--------------+-----------------------+
 * |  home line (high product) | fingerprint  |  suffix (directory)   |
 * +---------------------------+--------------+-----------------------+
 * </pre>
 */
final class KeyHash {
  private static final long MULTIPLIER_1 = 0xFF51AFD7ED558CCDL;
  private static final long MULTIPLIER_2 = 0xC4CEB9FE1A85EC53L;

  private KeyHash() {}

  static long mix(long lotusKey) {
    long h = lotusKey;
    h = (h ^ (h >>> 33)) * MULTIPLIER_1;
    h = (h ^ (h >>> 33)) * MULTIPLIER_2;
    return h ^ (h >>> 33);
  }

  static int home(long hash) {
    return (int) (((hash >>> 32) * HashSegmentLayout.HOMES) >>> 32);
  }

  static int fingerprint(long hash) {
    int bits = (int) (hash >>> HashSegmentLayout.MAX_DEPTH) & HashSlotLayout.FINGERPRINT_MASK;
    return bits < HashSlotLayout.FIRST_FINGERPRINT ? bits + HashSlotLayout.FIRST_FINGERPRINT : bits;
  }

  /** Returns the lowest {@code depth} bits. */
  static int suffix(long hash, int depth) {
    return (int) hash & ((1 << depth) - 1);
  }
}
