package org.nelumbo.soak.client;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A stop of this process (signal STOP) while one of its threads holds a latch of an index. The
 * threads are sampled, so the sampled thread may have released the latch before the stop. That is
 * rare over a network, since a latch is held for several round trips.
 */
final class LatchStop {
  private static final String INDEXES = "org.nelumbo.dm.index.";

  /** Simple names of the classes whose methods run under a latch. */
  private static final Set<String> LATCHED =
      Set.of("SegmentSplit", "LatchedInsert", "NodeSplit", "NodeRemoval", "LeafChange");

  private static final int SIGSTOP = 19;

  /** Stops the process if a thread holds a latch within this time. */
  void run(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    MethodHandle raise = raise();
    while (System.nanoTime() < until) {
      for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
        if (isLatched(stack)) {
          stop(raise);
          return;
        }
      }
    }
  }

  private static boolean isLatched(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      if (type.startsWith(INDEXES) && LATCHED.contains(type.substring(type.lastIndexOf('.') + 1))) {
        return true;
      }
    }
    return false;
  }

  private static MethodHandle raise() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("raise"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  private static void stop(MethodHandle raise) {
    try {
      int status = (int) raise.invokeExact(SIGSTOP);
      if (status != 0) {
        throw new IllegalStateException("raise returned " + status);
      }
    } catch (Throwable e) {
      throw new IllegalStateException("the process cannot stop itself", e);
    }
  }
}
