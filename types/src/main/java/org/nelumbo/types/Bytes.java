package org.nelumbo.types;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads and writes numbers in byte arrays with plain memory access. Keys use the big-endian methods
 * (suffix {@code Be}), rows the little-endian ones (suffix {@code Le}). The index is in bytes and
 * need not be aligned; an index outside the array throws {@link IndexOutOfBoundsException}.
 */
public final class Bytes {
  private static final VarHandle SHORT_BE = view(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT_BE = view(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG_BE = view(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT_LE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT_LE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LE = view(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  private static VarHandle view(Class<?> array, ByteOrder order) {
    return MethodHandles.byteArrayViewVarHandle(array, order).withInvokeExactBehavior();
  }

  /** Reads a big-endian 16-bit number. */
  public static short shortBe(byte[] bytes, int at) {
    return (short) SHORT_BE.get(bytes, at);
  }

  /** Reads a big-endian 32-bit number. */
  public static int intBe(byte[] bytes, int at) {
    return (int) INT_BE.get(bytes, at);
  }

  /** Reads a big-endian 64-bit number. */
  public static long longBe(byte[] bytes, int at) {
    return (long) LONG_BE.get(bytes, at);
  }

  /** Writes a big-endian 16-bit number. */
  public static void putShortBe(byte[] bytes, int at, short value) {
    SHORT_BE.set(bytes, at, value);
  }

  /** Writes a big-endian 32-bit number. */
  public static void putIntBe(byte[] bytes, int at, int value) {
    INT_BE.set(bytes, at, value);
  }

  /** Writes a big-endian 64-bit number. */
  public static void putLongBe(byte[] bytes, int at, long value) {
    LONG_BE.set(bytes, at, value);
  }

  /** Reads a little-endian 16-bit number. */
  public static short shortLe(byte[] bytes, int at) {
    return (short) SHORT_LE.get(bytes, at);
  }

  /** Reads a little-endian 32-bit number. */
  public static int intLe(byte[] bytes, int at) {
    return (int) INT_LE.get(bytes, at);
  }

  /** Reads a little-endian 64-bit number. */
  public static long longLe(byte[] bytes, int at) {
    return (long) LONG_LE.get(bytes, at);
  }

  /** Writes a little-endian 16-bit number. */
  public static void putShortLe(byte[] bytes, int at, short value) {
    SHORT_LE.set(bytes, at, value);
  }

  /** Writes a little-endian 32-bit number. */
  public static void putIntLe(byte[] bytes, int at, int value) {
    INT_LE.set(bytes, at, value);
  }

  /** Writes a little-endian 64-bit number. */
  public static void putLongLe(byte[] bytes, int at, long value) {
    LONG_LE.set(bytes, at, value);
  }
}
