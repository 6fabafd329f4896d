package org.nelumbo.ycsb.terminal;

import java.nio.charset.StandardCharsets;

/**
 * The keys of records: {@code user} and 20 digits. Keys are unique, and scatter the records over
 * the range of keys.
 */
public final class RecordKeys {
  /** Length of every key. */
  public static final int LENGTH = 24;

  private static final byte[] PREFIX = "user".getBytes(StandardCharsets.ISO_8859_1);

  private RecordKeys() {}

  /** Returns the key of a record, by its number. */
  public static String of(int record) {
    byte[] key = new byte[LENGTH];
    System.arraycopy(PREFIX, 0, key, 0, PREFIX.length);
    long rest = scatter(record);
    for (int at = LENGTH - 1; at >= PREFIX.length; at--) {
      key[at] = (byte) ('0' + Long.remainderUnsigned(rest, 10));
      rest = Long.divideUnsigned(rest, 10);
    }
    return new String(key, StandardCharsets.ISO_8859_1);
  }

  /** Maps 64 bits one to one: each step is invertible. */
  private static long scatter(long number) {
    long z = (number + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
