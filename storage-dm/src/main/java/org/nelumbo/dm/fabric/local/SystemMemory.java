package org.nelumbo.dm.fabric.local;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The system calls of Linux and macOS for memory outside the Java heap.
 *
 * <p>All functions are called with six 64-bit arguments in registers. A C function ignores those
 * that it does not have, and the upper half of an {@code int}. So the JDK generates the code of one
 * kind of call instead of five, which takes a tenth of a second of the first connection.
 */
final class SystemMemory {
  private static final long PROT_READ_WRITE = 0x3;
  private static final long PROT_READ_EXECUTE = 0x5;
  private static final long MAP_FAILED = -1L;

  private static final FunctionDescriptor SIX_LONGS =
      FunctionDescriptor.of(
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG);

  private static final MethodHandle MMAP = function("mmap");
  private static final MethodHandle MUNMAP = function("munmap");
  private static final MethodHandle MADVISE = function("madvise");
  private static final MethodHandle MPROTECT = function("mprotect");

  private SystemMemory() {}

  /** The calls whose error number is needed; loaded with the first of them. */
  private static final class Checked {
    static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO =
        ERRNO_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
    static final MethodHandle MMAP = function("mmap", CAPTURE);
    static final MethodHandle MADVISE = function("madvise", CAPTURE);

    private Checked() {}
  }

  private static MethodHandle function(String name, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    MemorySegment symbol = linker.defaultLookup().find(name).orElse(null);
    if (symbol == null) {
      throw new IllegalStateException("no such function name=" + name);
    }
    return linker.downcallHandle(symbol, SIX_LONGS, options);
  }

  /**
   * Maps readable and writable memory; returns its address.
   *
   * @throws IllegalStateException if the system refuses; the message contains the reason
   */
  static long mmap(long bytes, int flags) {
    try {
      long address = (long) MMAP.invokeExact(0L, bytes, PROT_READ_WRITE, (long) flags, -1L, 0L);
      return address == MAP_FAILED ? mmapChecked(bytes, flags) : address;
    } catch (RuntimeException | Error e) {
      throw e; // the heap may be full
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Repeats a call that has failed. */
  private static long mmapChecked(long bytes, int flags) throws Throwable {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Checked.ERRNO_LAYOUT);
      long address =
          (long) Checked.MMAP.invokeExact(state, 0L, bytes, PROT_READ_WRITE, (long) flags, -1L, 0L);
      if (address == MAP_FAILED) {
        throw new IllegalStateException(
            "cannot reserve memory for the pool: choose a smaller size or raise the limit on"
                + " address space (ulimit -v) bytes="
                + bytes
                + " errno="
                + (int) Checked.ERRNO.get(state, 0L));
      }
      return address;
    }
  }

  static void munmap(long address, long bytes) {
    if (call(MUNMAP, address, bytes, 0) != 0) {
      throw new IllegalStateException("cannot unmap pool memory bytes=" + bytes);
    }
  }

  /** Gives advice on a range; errors are ignored, since only speed depends on it. */
  static void madvise(long address, long bytes, int advice) {
    call(MADVISE, address, bytes, advice);
  }

  /**
   * Calls {@code madvise} with a value that is more than advice; returns 0, or the error number.
   */
  static int madviseChecked(long address, long bytes, int advice) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Checked.ERRNO_LAYOUT);
      long result =
          (long) Checked.MADVISE.invokeExact(state, address, bytes, (long) advice, 0L, 0L, 0L);
      return (int) result == 0 ? 0 : (int) Checked.ERRNO.get(state, 0L);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Makes memory executable and read-only; returns true if the system allows that. */
  static boolean makeExecutable(long address, long bytes) {
    return call(MPROTECT, address, bytes, PROT_READ_EXECUTE) == 0;
  }

  /** Calls a function of three arguments that returns an {@code int}. */
  private static int call(MethodHandle function, long address, long bytes, long argument) {
    try {
      return (int) (long) function.invokeExact(address, bytes, argument, 0L, 0L, 0L);
    } catch (RuntimeException | Error e) {
      throw e; // the heap may be full
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
