package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Accesses fields of structures outside the Java heap by absolute address, in the byte order of the
 * machine. The segment spans all memory and is a constant, so the compiler removes its checks.
 * Callers check the addresses themselves.
 */
public final class NativeMemory {
  private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private NativeMemory() {}

  public static long getLong(long address) {
    return ALL.get(ValueLayout.JAVA_LONG, address);
  }

  static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG, address, value);
  }

  public static int getInt(long address) {
    return ALL.get(ValueLayout.JAVA_INT, address);
  }

  static void putInt(long address, int value) {
    ALL.set(ValueLayout.JAVA_INT, address, value);
  }

  static int getShort(long address) {
    return Short.toUnsignedInt(ALL.get(ValueLayout.JAVA_SHORT, address));
  }

  static void putShort(long address, int value) {
    ALL.set(ValueLayout.JAVA_SHORT, address, (short) value);
  }

  static int getByte(long address) {
    return Byte.toUnsignedInt(ALL.get(ValueLayout.JAVA_BYTE, address));
  }

  static void putByte(long address, int value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
  }

  /** Returns a C string; empty for the null pointer. */
  public static String text(long address) {
    return address == 0 ? "" : ALL.getString(address);
  }
}
