package org.nelumbo.dm.fabric.local;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Anonymous memory that is reserved now and costs nothing until it is touched ({@code mmap} without reserve), zeroed, in huge pages where the system has them. The
 * foreign-memory arenas of the JDK cannot do this: they write zeros over all of it at once.
 */
final class ReservedMemory implements AutoCloseable {
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
  private static final int MADV_HUGEPAGE = 14;
  private static final long MAP_FAILED = -1;

  private static final MethodHandle MMAP =
      find(
          "mmap",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG));
  private static final MethodHandle MUNMAP =
      find("munmap", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  private static final MethodHandle MADVISE =
      find(
          "madvise",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

  private final long address;
  private final long bytes;

  /**
   * Reserves memory.
   *
   * @throws OutOfMemoryError if the system refuses to
   */
  ReservedMemory(long bytes) {
    this.bytes = bytes;
    try {
      this.address =
          (long) MMAP.invokeExact(0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
      if (address == MAP_FAILED) {
        throw new OutOfMemoryError("the system does not let us reserve " + bytes + " bytes of address space; open a smaller pool (memory=)");
      }
      // Advice only: a system without huge pages answers with an error that does not matter.
      int ignored = (int) MADVISE.invokeExact(address, bytes, MADV_HUGEPAGE);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("mmap cannot be called", e);
    }
  }

  /** The memory, without bounds in time: whoever uses it after {@link #close} brings the process down, so channels are closed first. */
  MemorySegment segment() {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }

  @Override
  public void close() {
    try {
      int ignored = (int) MUNMAP.invokeExact(address, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("munmap cannot be called", e);
    }
  }

  private static MethodHandle find(String name, FunctionDescriptor descriptor) {
    Linker linker = Linker.nativeLinker();
    SymbolLookup lookup = linker.defaultLookup();
    return linker.downcallHandle(lookup.findOrThrow(name), descriptor);
  }
}
