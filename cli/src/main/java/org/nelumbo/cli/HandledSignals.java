package org.nelumbo.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals that this process handles instead of the JVM, until the object is closed.
 *
 * <p>The JDK has {@code sun.misc.Signal} for this purpose, in its module {@code jdk.unsupported}.
 * javac warns of each use, and the warning cannot be suppressed, so the class is called by
 * reflection. If it is missing, or if the JVM must not handle signals ({@code -Xrs}), signals keep
 * their default effect.
 */
final class HandledSignals implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HandledSignals.class);

  private final Deque<Runnable> restored = new ArrayDeque<>();

  /**
   * Starts to handle the signals with these names, such as {@code TERM}.
   *
   * @param action receives the signal's number; it must return soon
   */
  HandledSignals(IntConsumer action, String... names) {
    for (String name : names) {
      try {
        handle(name, action);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        LOG.debug("signal {} is handled by the JVM: {}", name, e.toString());
      }
    }
  }

  private void handle(String name, IntConsumer action) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = signal(type, name);
    int number = (Integer) type.getMethod("getNumber").invoke(signal);
    Object handler =
        Proxy.newProxyInstance(
            HandledSignals.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> called(proxy, method, arguments, action, number));
    Method handle = type.getMethod("handle", type, handlerType);
    Object before = invoke(handle, signal, handler);
    restored.push(() -> restore(handle, signal, before));
  }

  private static Object signal(Class<?> type, String name) throws ReflectiveOperationException {
    return type.getConstructor(String.class).newInstance(name);
  }

  private static Object called(
      Object proxy, Method method, Object[] arguments, IntConsumer action, int number) {
    return switch (method.getName()) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "handler of signal " + number;
      default -> {
        action.accept(number);
        yield null;
      }
    };
  }

  private static Object invoke(Method handle, Object signal, Object handler)
      throws ReflectiveOperationException {
    try {
      return handle.invoke(null, signal, handler);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException("the JVM does not forward the signal", e);
    }
  }

  private static void restore(Method handle, Object signal, Object before) {
    try {
      invoke(handle, signal, before);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e); // the first call has succeeded
    }
  }

  @Override
  public void close() {
    restored.forEach(Runnable::run);
  }
}
