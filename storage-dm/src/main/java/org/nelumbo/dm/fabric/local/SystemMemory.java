package org.nelumbo.dm.fabric.local;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** The system calls of Linux and macOS for memory outside the Java heap. */
final class SystemMemory {
  private static final int PROT_READ_WRITE = 0x3;
  private static final int PROT_READ_EXECUTE = 0x5;
  private static final long MAP_FAILED = -1L;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERRNO_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final MethodHandle MMAP =
      LINKER.downcallHandle(
          symbol("mmap"),
          FunctionDescriptor.of(LONG, LONG, LONG, INT, INT, INT, LONG),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle MUNMAP =
      LINKER.downcallHandle(symbol("munmap"), FunctionDescriptor.of(INT, LONG, LONG));
  private static final MethodHandle MADVISE =
      LINKER.downcallHandle(symbol("madvise"), FunctionDescriptor.of(INT, LONG, LONG, INT));

  private static final MethodHandle CHECKED_MADVISE =
      LINKER.downcallHandle(
          symbol("madvise"),
          FunctionDescriptor.of(INT, LONG, LONG, INT),
          Linker.Option.captureCallState("errno"));
  private static final MethodHandle MPROTECT =
      LINKER.downcallHandle(symbol("mprotect"), FunctionDescriptor.of(INT, LONG, LONG, INT));

  private SystemMemory() {}

  private static MemorySegment symbol(String name) {
    SymbolLookup lookup = LINKER.defaultLookup();
    return lookup
        .find(name)
        .orElseThrow(() -> new IllegalStateException("no such function name=" + name));
  }

  /**
   * Maps readable and writable memory; returns its address.
   *
   * @throws IllegalStateException if the system refuses; the message contains the reason
   */
  static long mmap(long bytes, int flags) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      long address = (long) MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, flags, -1, 0L);
      if (address == MAP_FAILED) {
        throw new IllegalStateException(
            "cannot reserve memory for the pool: choose a smaller size or raise the limit on"
                + " address space (ulimit -v) bytes="
                + bytes
                + " errno="
                + (int) ERRNO.get(state, 0L));
      }
      return address;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static void munmap(long address, long bytes) {
    int result;
    try {
      result = (int) MUNMAP.invokeExact(address, bytes);
    } catch (RuntimeException | Error e) {
      throw e; // the heap may be full
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (result != 0) {
      throw new IllegalStateException("cannot unmap pool memory bytes=" + bytes);
    }
  }

  /** Gives advice on a range; errors are ignored, since only speed depends on it. */
  static void madvise(long address, long bytes, int advice) {
    try {
      int ignored = (int) MADVISE.invokeExact(address, bytes, advice);
    } catch (RuntimeException | Error e) {
      throw e; // the heap may be full
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Calls {@code madvise} with a value that is more than advice; returns 0, or the error number.
   */
  static int madviseChecked(long address, long bytes, int advice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      int result = (int) CHECKED_MADVISE.invokeExact(state, address, bytes, advice);
      return result == 0 ? 0 : (int) ERRNO.get(state, 0L);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Makes memory executable and read-only; returns true if the system allows that. */
  static boolean makeExecutable(long address, long bytes) {
    try {
      return (int) MPROTECT.invokeExact(address, bytes, PROT_READ_EXECUTE) == 0;
    } catch (RuntimeException | Error e) {
      throw e; // the heap may be full
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
