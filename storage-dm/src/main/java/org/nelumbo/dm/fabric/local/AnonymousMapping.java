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

/**
 * Zeroed, page-aligned memory outside the Java heap that costs what is touched: an anonymous
 * private mapping without swap reservation, with huge pages where the system gives them. Where
 * there is no such mapping (neither Linux nor macOS) the memory is allocated at once.
 *
 * <p>Not a segment with a life of its own: whoever holds the {@link #address()} must not touch it
 * after {@link #release()}. {@link LocalFabric} counts its users for that.
 */
final class AnonymousMapping implements NodeMemory {
  private static final String OS = System.getProperty("os.name");
  private static final int PROT_READ_WRITE = 0x3;
  private static final int MAP_PRIVATE = 0x2;
  private static final int MADV_HUGEPAGE = 14;
  private static final long MAP_FAILED = -1L;

  private final long address;
  private final long bytes;
  private final Arena arena;

  private AnonymousMapping(long address, long bytes, Arena arena) {
    this.address = address;
    this.bytes = bytes;
    this.arena = arena;
  }

  /**
   * Reserves {@code bytes} of memory.
   *
   * @throws IllegalStateException if the system refuses; the message says why
   */
  static AnonymousMapping reserve(long bytes) {
    int flags = mappingFlags();
    if (flags == 0) {
      Arena arena = Arena.ofShared();
      return new AnonymousMapping(arena.allocate(bytes, 4096).address(), bytes, arena);
    }
    long address = Native.mmap(bytes, flags);
    if (isLinux()) {
      Native.madvise(address, bytes, MADV_HUGEPAGE);
    }
    return new AnonymousMapping(address, bytes, null);
  }

  /**
   * Zeroed, page-aligned memory of this kind, in small pages, that goes when nothing refers to the
   * segment any more. An arena would write the zeros, and so take all of it at once.
   */
  static MemorySegment segment(long bytes) {
    int flags = mappingFlags();
    if (flags == 0) {
      return Arena.ofAuto().allocate(bytes, 64);
    }
    long address = Native.mmap(bytes, flags);
    return MemorySegment.ofAddress(address)
        .reinterpret(bytes, Arena.ofAuto(), _ -> Native.munmap(address, bytes));
  }

  /** What makes a private anonymous mapping without swap reservation; 0 where nothing does. */
  private static int mappingFlags() {
    if (isLinux()) {
      return MAP_PRIVATE | 0x20 | 0x4000;
    }
    return OS.startsWith("Mac") ? MAP_PRIVATE | 0x1000 | 0x40 : 0;
  }

  private static boolean isLinux() {
    return OS.startsWith("Linux");
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void release() {
    if (arena != null) {
      arena.close();
    } else {
      Native.munmap(address, bytes);
    }
  }

  /** The three system calls. */
  private static final class Native {
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

    private static MemorySegment symbol(String name) {
      SymbolLookup lookup = LINKER.defaultLookup();
      return lookup
          .find(name)
          .orElseThrow(() -> new IllegalStateException("no such function name=" + name));
    }

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
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      if (result != 0) {
        throw new IllegalStateException("cannot unmap pool memory bytes=" + bytes);
      }
    }

    /** Advice only: a refusal changes nothing but speed. */
    static void madvise(long address, long bytes, int advice) {
      try {
        int ignored = (int) MADVISE.invokeExact(address, bytes, advice);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
