package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.layout.CellLayout;

/** Conversions between timestamps and physical time, and the limits of timestamps. */
public final class Timestamps {
  /** 2024-01-01T00:00:00Z in microseconds since the Unix epoch. */
  static final long ORIGIN_MICROS = 1_704_067_200_000_000L;

  /**
   * Commits are refused from this timestamp on. The cells of a row treat {@link
   * CellLayout#FIRST_INVISIBLE} and larger values as no timestamps. The distance covers timestamps
   * that other compute nodes have drawn and that are not known here yet.
   */
  public static final long END = CellLayout.FIRST_INVISIBLE - (1L << 32);

  /**
   * Physical time is not followed beyond this timestamp; the distance to {@link #END} is the number
   * of commits that a pool has left at least.
   */
  static final long PHYSICAL_MAX = END - (1L << 50);

  private static final int COUNT_BITS = 4;
  private static final long NANOS_PER_MICRO = 1_000;

  private Timestamps() {}

  /** Returns the first timestamp of a microsecond, given since the Unix epoch. */
  public static long ofEpochMicros(long micros) {
    return (micros - ORIGIN_MICROS) << COUNT_BITS;
  }

  /**
   * Returns true if the timestamp is the first of its microsecond. A clock that was raised to
   * physical time has such a timestamp; timestamps of commits after that mostly are not.
   */
  public static boolean isFirst(long timestamp) {
    return (timestamp & (1 << COUNT_BITS) - 1) == 0;
  }

  /** Returns the time of a timestamp, in microseconds since the Unix epoch. */
  public static long toEpochMicros(long timestamp) {
    return (timestamp >>> COUNT_BITS) + ORIGIN_MICROS;
  }

  /** Converts a difference of timestamps to nanoseconds. */
  static long toNanos(long difference) {
    return (difference >>> COUNT_BITS) * NANOS_PER_MICRO;
  }

  /** Converts a duration in nanoseconds to a difference of timestamps. */
  public static long ofNanos(long nanos) {
    return (nanos / NANOS_PER_MICRO) << COUNT_BITS;
  }
}
