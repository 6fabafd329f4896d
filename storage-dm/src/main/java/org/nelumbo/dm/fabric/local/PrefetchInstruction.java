package org.nelumbo.dm.fabric.local;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Calls the processor's prefetch instruction, which Java does not offer: it fetches a cache line
 * without waiting for it. A load fetches the line as well, but the processor cannot proceed far
 * beyond a load that misses; after a prefetch it continues at once. The instruction is a function
 * of thirteen bytes of machine code, called without a change of thread state (a few nanoseconds).
 * It is used only on the tested platform, Linux on x86-64, and only if the system lets a process
 * create code; otherwise {@link #AVAILABLE} is false.
 *
 * <p>The function has no result, changes no memory and never faults, whatever the address.
 */
final class PrefetchInstruction {
  private static final int PAGE = 4096;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  /** Code of {@code void prefetch(char* line, long lines)}; requires at least one line. */
  private static final byte[] CODE = {
    0x0F,
    0x18,
    0x0F, // next: prefetcht0 [rdi]
    0x48,
    (byte) 0x83,
    (byte) 0xC7,
    0x40, // add rdi, 64
    0x48,
    (byte) 0xFF,
    (byte) 0xCE, // dec rsi
    0x75,
    (byte) 0xF4, // jnz next
    (byte) 0xC3 // ret
  };

  private static final MethodHandle FUNCTION = function();

  /** True if {@link #prefetch} may be called. Disabled by {@code -Dnelumbo.prefetch=loads}. */
  static final boolean AVAILABLE = FUNCTION != null;

  private PrefetchInstruction() {}

  /**
   * Starts to fetch cache lines.
   *
   * @param address absolute address of any byte of the first line
   * @param lines number of lines, at least 1
   */
  static void prefetch(long address, long lines) {
    try {
      FUNCTION.invokeExact(address, lines);
    } catch (RuntimeException | Error e) {
      throw e; // the heap may be full
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MethodHandle function() {
    boolean tried =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    if (!tried || System.getProperty("nelumbo.prefetch", "").equals("loads")) {
      return null;
    }
    long address = SystemMemory.mmap(PAGE, MAP_PRIVATE_ANONYMOUS);
    MemorySegment page = MemorySegment.ofAddress(address).reinterpret(PAGE);
    page.copyFrom(MemorySegment.ofArray(CODE));
    if (!SystemMemory.makeExecutable(address, PAGE)) {
      SystemMemory.munmap(address, PAGE);
      return null;
    }
    return Linker.nativeLinker()
        .downcallHandle(
            page,
            FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
            Linker.Option.critical(false));
  }
}
