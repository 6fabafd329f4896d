package org.nelumbo.simulation.world;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.Executor;

/**
 * Virtual threads with a custom scheduler: access by reflection to package-private parts of JDK 25.
 * It needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
 */
final class VirtualThreads {
  private static final String OPTION = "--add-opens java.base/java.lang=ALL-UNNAMED";

  private final Constructor<?> builder;
  private final Field continuation;
  private final Method carrier;
  private final Field state;
  private final int unblocked;
  private final int waits;
  private final int waitsForTime;

  VirtualThreads() {
    try {
      builder =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      builder.setAccessible(true);
      continuation = Class.forName("java.lang.VirtualThread").getDeclaredField("runContinuation");
      continuation.setAccessible(true);
      carrier = Thread.class.getDeclaredMethod("currentCarrierThread");
      carrier.setAccessible(true);
      state = continuation.getDeclaringClass().getDeclaredField("state");
      state.setAccessible(true);
      unblocked = stateOf("UNBLOCKED");
      waits = stateOf("WAIT");
      waitsForTime = stateOf("TIMED_WAIT");
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "the simulator needs JDK 25 and the JVM option " + OPTION + " java=" + Runtime.version(),
          e);
    }
  }

  private int stateOf(String name) throws ReflectiveOperationException {
    Field constant = continuation.getDeclaringClass().getDeclaredField(name);
    constant.setAccessible(true);
    return constant.getInt(null);
  }

  /** Returns an unstarted virtual thread, each step of which is submitted to {@code scheduler}. */
  Thread unstarted(Executor scheduler, String name, Runnable body) {
    try {
      Thread.Builder.OfVirtual with = (Thread.Builder.OfVirtual) builder.newInstance(scheduler);
      return with.name(name).unstarted(body);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no virtual thread name=" + name, e);
    }
  }

  /**
   * Returns the task that the thread submits to its scheduler for each step; it is always the same
   * object.
   */
  Runnable continuation(Thread thread) {
    try {
      return (Runnable) continuation.get(thread);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("no continuation thread=" + thread, e);
    }
  }

  /**
   * Returns true if the thread has waited for a monitor, may retry to acquire it, and has not
   * retried yet.
   */
  boolean isUnblocked(Thread thread) {
    return state(thread) == unblocked;
  }

  /**
   * Returns true if the thread is within Object.wait, as a thread that joins a platform thread is.
   */
  boolean awaitsNotification(Thread thread) {
    int now = state(thread);
    return now == waits || now == waitsForTime;
  }

  private int state(Thread thread) {
    try {
      return state.getInt(thread);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("no state thread=" + thread, e);
    }
  }

  /** See {@link SimWorld#currentCarrier}. */
  static Thread currentCarrierOfCaller() {
    return Holder.THREADS.currentCarrier();
  }

  private static final class Holder {
    static final VirtualThreads THREADS = new VirtualThreads();
  }

  /** Returns the platform thread that runs this code, also inside a virtual thread. */
  Thread currentCarrier() {
    try {
      return (Thread) carrier.invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no carrier", e);
    }
  }
}
