package org.nelumbo.dm.fabric.local;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeroed, page-aligned memory outside the Java heap whose pages are allocated at the first touch:
 * an anonymous private mapping without swap reservation, with huge pages if the system provides
 * them. On systems other than Linux and macOS the memory is allocated at once.
 *
 * <p>This is not a memory segment with a managed lifetime: a holder of the {@link #address()} must
 * not access it after {@link #release()}. {@link LocalFabric} counts its users for that purpose.
 */
final class AnonymousMapping implements NodeMemory {
  private static final String OS = System.getProperty("os.name");
  private static final int MAP_PRIVATE = 0x2;
  private static final int MADV_HUGEPAGE = 14;

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
   * @throws IllegalStateException if the system refuses; the message contains the reason
   */
  static AnonymousMapping reserve(long bytes) {
    int flags = mappingFlags();
    if (flags == 0) {
      Arena arena = Arena.ofShared();
      return new AnonymousMapping(arena.allocate(bytes, 4096).address(), bytes, arena);
    }
    long address = SystemMemory.mmap(bytes, flags);
    if (isLinux()) {
      SystemMemory.madvise(address, bytes, MADV_HUGEPAGE);
    }
    return new AnonymousMapping(address, bytes, null);
  }

  /**
   * Returns zeroed, page-aligned memory that is mapped in the same way, but in small pages. It is
   * unmapped when the segment becomes unreachable. An arena would write the zeros and thereby
   * allocate all pages at once.
   */
  static MemorySegment segment(long bytes) {
    int flags = mappingFlags();
    if (flags == 0) {
      return Arena.ofAuto().allocate(bytes, 64);
    }
    long address = SystemMemory.mmap(bytes, flags);
    return MemorySegment.ofAddress(address)
        .reinterpret(bytes, Arena.ofAuto(), _ -> SystemMemory.munmap(address, bytes));
  }

  /**
   * Returns the flags of a private mapping without swap reservation; 0 if the system is unknown.
   */
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
      SystemMemory.munmap(address, bytes);
    }
  }
}
