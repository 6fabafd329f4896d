package org.nelumbo.dm.fabric.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The futex system call: a thread sleeps until a word of shared memory changes. Supports Linux on
 * x86-64 and on 64-bit ARM.
 */
final class Futex {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final long NUMBER = System.getProperty("os.arch").equals("aarch64") ? 98 : 202;
  private static final int WAIT = 0;
  private static final int WAKE = 1;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final MethodHandle SYSCALL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
              FunctionDescriptor.of(LONG, LONG, ValueLayout.ADDRESS, INT, INT, ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(1));

  private Futex() {}

  /**
   * Sleeps while a four-byte word has a value, until {@link #wake} or somewhat longer than the
   * timeout; may return early.
   */
  static void await(MemorySegment word, int value, long nanos) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
      time.set(LONG, 0, nanos / NANOS_PER_SECOND);
      time.set(LONG, Long.BYTES, nanos % NANOS_PER_SECOND);
      call(word, WAIT, value, time);
    }
  }

  /** Wakes one thread that sleeps on a word. */
  static void wake(MemorySegment word) {
    call(word, WAKE, 1, MemorySegment.NULL);
  }

  private static void call(MemorySegment word, int what, int value, MemorySegment time) {
    try {
      long ignored = (long) SYSCALL.invokeExact(NUMBER, word, what, value, time);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
