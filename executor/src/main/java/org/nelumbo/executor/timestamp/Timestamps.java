package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.layout.CellLayout;

/** Conversions between timestamps and physical time, and the limits of timestamps. */
public final class Timestamps {
  /** 2024-01-01T00:00:00Z in microseconds since the Unix epoch. */
  static final long ORIGIN_MICROS = 1_704_067_200_000_000L;

  /**
   * Commits are refused from here on. The cells of a row take {@link CellLayout#FIRST_INVISIBLE}
   * and more for no timestamps; other compute nodes may have drawn some that are not known here
   * yet.
   */
  public static final long END = CellLayout.FIRST_INVISIBLE - (1L << 32);

  /** Physical time is not followed beyond it: so many commits are left to a pool at least. */
  static final long PHYSICAL_MAX = END - (1L << 50);

  private static final int COUNT_BITS = 4;
  private static final long NANOS_PER_MICRO = 1_000;

  private Timestamps() {}

  /** The first timestamp of a moment, given in microseconds since the Unix epoch. */
  public static long ofEpochMicros(long micros) {
    return (micros - ORIGIN_MICROS) << COUNT_BITS;
  }

  /**
   * Returns true if it is the first timestamp of its microsecond. A clock that was raised to
   * physical time has such a one; the ones that commits draw then mostly are not.
   */
  public static boolean isFirst(long timestamp) {
    return (timestamp & (1 << COUNT_BITS) - 1) == 0;
  }

  /** The moment of a timestamp, microseconds since the Unix epoch. */
  public static long toEpochMicros(long timestamp) {
    return (timestamp >>> COUNT_BITS) + ORIGIN_MICROS;
  }

  /** A difference of timestamps as a duration. */
  static long toNanos(long difference) {
    return (difference >>> COUNT_BITS) * NANOS_PER_MICRO;
  }

  /** A duration as a difference of timestamps. */
  public static long ofNanos(long nanos) {
    return (nanos / NANOS_PER_MICRO) << COUNT_BITS;
  }
}
