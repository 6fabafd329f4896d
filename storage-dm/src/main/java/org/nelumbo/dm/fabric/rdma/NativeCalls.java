package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Calls C functions that report errors by {@code errno}; not for hot paths. */
public final class NativeCalls {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERRNO_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private NativeCalls() {}

  /** A call of a function that stores its error number in the segment. */
  public interface Call {
    /** Calls the function. */
    long call(MemorySegment state) throws Throwable;
  }

  /**
   * Returns the handle of a library function; its first argument is the segment for the error
   * number.
   *
   * @throws IllegalArgumentException if the library has no function of that name
   */
  public static MethodHandle handle(
      SymbolLookup lookup, String name, FunctionDescriptor descriptor) {
    MemorySegment symbol =
        lookup
            .find(name)
            .orElseThrow(() -> new IllegalArgumentException("it has no function " + name));
    return LINKER.downcallHandle(symbol, descriptor, Linker.Option.captureCallState("errno"));
  }

  /**
   * Returns the pointer that a function has returned.
   *
   * @param what error message for a null pointer
   * @throws IllegalStateException if the pointer is null
   */
  public static long pointer(String what, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      long result = invoke(call, state);
      if (result == 0) {
        throw failed(what, (int) ERRNO.get(state, 0L));
      }
      return result;
    }
  }

  /** Returns the result of a function: 0, or an error number. */
  public static int result(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      int result = (int) invoke(call, state);
      return result == -1 ? (int) ERRNO.get(state, 0L) : result;
    }
  }

  /**
   * Calls a function that must return 0.
   *
   * @param what error message for another result
   * @throws IllegalStateException if the result is not 0
   */
  public static void check(String what, Call call) {
    int error = result(call);
    if (error != 0) {
      throw failed(what, error);
    }
  }

  private static long invoke(Call call, MemorySegment state) {
    try {
      return call.call(state);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static IllegalStateException failed(String what, int error) {
    return new IllegalStateException(what + " error=" + error);
  }
}
