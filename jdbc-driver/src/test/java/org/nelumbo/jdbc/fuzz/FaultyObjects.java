package org.nelumbo.jdbc.fuzz;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Proxy;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Objects of the caller that throw when the driver uses them. */
final class FaultyObjects {
  /** Throwables that an object of the caller throws when the driver uses it. */
  static final List<Supplier<Throwable>> FAULTS =
      List.of(
          () -> new IllegalStateException("of the caller's"),
          NullPointerException::new,
          () -> new AssertionError("of the caller's"),
          StackOverflowError::new,
          () -> new OutOfMemoryError("of the caller's"));

  private FaultyObjects() {}

  static InputStream stream(Supplier<Throwable> fault) {
    return new FaultyStream(fault);
  }

  static Reader reader(Supplier<Throwable> fault) {
    return new Reader() {
      @Override
      public int read(char[] buffer, int offset, int length) {
        throw sneaky(fault.get());
      }

      @Override
      public void close() {}
    };
  }

  static Executor executor(Supplier<Throwable> fault) {
    return task -> {
      throw sneaky(fault.get());
    };
  }

  static Calendar calendar(Supplier<Throwable> fault) {
    return new FaultyCalendar(fault);
  }

  /** Returns an implementation of an interface whose methods throw. */
  static Object proxy(Class<?> type, Supplier<Throwable> fault) {
    return Proxy.newProxyInstance(
        FaultyObjects.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "toString" -> "faulty " + type.getSimpleName();
              case "hashCode" -> 1;
              case "equals" -> proxy == arguments[0];
              default -> throw fault.get();
            });
  }

  private static RuntimeException sneaky(Throwable fault) {
    return FaultyObjects.<RuntimeException>thrown(fault);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> X thrown(Throwable fault) throws X {
    throw (X) fault;
  }

  /** A stream whose reads fail. */
  private static final class FaultyStream extends InputStream {
    private final Supplier<Throwable> fault;

    FaultyStream(Supplier<Throwable> fault) {
      this.fault = fault;
    }

    @Override
    public int read() {
      throw sneaky(fault.get());
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      throw sneaky(fault.get());
    }
  }

  /** A calendar whose fields cannot be read. */
  private static final class FaultyCalendar extends GregorianCalendar {
    private final transient Supplier<Throwable> fault;

    FaultyCalendar(Supplier<Throwable> fault) {
      this.fault = fault;
    }

    @Override
    public TimeZone getTimeZone() {
      if (fault == null) {
        return super.getTimeZone(); // called by the constructor of the superclass
      }
      throw sneaky(fault.get());
    }

    @Override
    public long getTimeInMillis() {
      if (fault == null) {
        return super.getTimeInMillis();
      }
      throw sneaky(fault.get());
    }
  }
}
