package org.nelumbo.jdbc.fuzz;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLType;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Generates arguments for calls of {@code java.sql}: sensible values, null, absurd values, and
 * objects of the caller that throw when they are used.
 */
final class FuzzArguments {
  private static final List<String> NAMES =
      List.of(
          "T",
          "t",
          "ID",
          "id",
          "I",
          "S",
          "B",
          "PUBLIC",
          "public",
          "%",
          "%%%%%%%%%%%%%%%%x",
          "_",
          "\\",
          "",
          "no such",
          "ApplicationName",
          "odd \" name",
          "\"a\"",
          "\ud83d\ude00",
          "\ud800",
          "\0",
          "x".repeat(300),
          "1",
          "TABLE",
          "'",
          "-7",
          "1e999999999",
          "2024-02-30",
          "true");

  private static final int[] INTS = {
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1,
    -1,
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    13,
    255,
    1000,
    1003,
    1004,
    1005,
    1007,
    1008,
    65536,
    Integer.MAX_VALUE - 1,
    Integer.MAX_VALUE,
    Types.DECIMAL,
    Types.NUMERIC,
    Types.TIMESTAMP,
    Types.OTHER
  };

  private static final long[] LONGS = {
    Long.MIN_VALUE,
    Integer.MIN_VALUE - 1L,
    -1,
    0,
    1,
    2,
    3,
    5,
    86_400_000L,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE + 1L,
    253_402_300_800_000L,
    Long.MAX_VALUE / 1000,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  private static final double[] DOUBLES = {
    0,
    -0.0,
    1,
    -1.5,
    0.1,
    1e10,
    1e300,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private static final List<Class<?>> CLASSES =
      List.of(
          String.class,
          Object.class,
          Integer.class,
          int.class,
          void.class,
          Long.class,
          Byte.class,
          Short.class,
          Boolean.class,
          Float.class,
          Double.class,
          BigDecimal.class,
          BigInteger.class,
          byte[].class,
          int[].class,
          java.sql.Date.class,
          Time.class,
          Timestamp.class,
          Date.class,
          LocalDate.class,
          LocalTime.class,
          LocalDateTime.class,
          Instant.class,
          OffsetDateTime.class,
          ZonedDateTime.class,
          UUID.class,
          Blob.class,
          Clob.class,
          NClob.class,
          Thread.class,
          Connection.class,
          ResultSet.class,
          Statement.class,
          FuzzArguments.class);

  /** An enum whose constant is an argument of no supported type. */
  private enum Odd {
    CONSTANT
  }

  private final SplittableRandom random;

  private final Pick pick;

  /** Returns an object of a class that an earlier call of the run has created, or null. */
  @FunctionalInterface
  interface Pick {
    Object of(Class<?> type);
  }

  FuzzArguments(SplittableRandom random, Pick pick) {
    this.random = random;
    this.pick = pick;
  }

  Object[] of(Method method) {
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = takesSql(method, types[i]) ? FuzzSql.statement(random) : of(types[i]);
    }
    return arguments;
  }

  private static boolean takesSql(Method method, Class<?> type) {
    String name = method.getName();
    return type == String.class
        && (name.startsWith("execute")
            || name.startsWith("prepare")
            || name.equals("addBatch")
            || name.equals("nativeSQL"));
  }

  private <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Object of(Class<?> type) {
    if (type.isPrimitive()) {
      return primitive(type);
    }
    return random.nextInt(8) == 0 ? null : object(type);
  }

  private Object primitive(Class<?> type) {
    if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == int.class) {
      return anInt();
    } else if (type == long.class) {
      return aLong();
    } else if (type == short.class) {
      return (short) anInt();
    } else if (type == byte.class) {
      return (byte) anInt();
    } else if (type == float.class) {
      return (float) aDouble();
    }
    return aDouble();
  }

  private int anInt() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> INTS[random.nextInt(INTS.length)];
      case 2, 3 -> random.nextInt(1, 15);
      default -> random.nextInt(1, 4);
    };
  }

  private long aLong() {
    return random.nextInt(3) == 0 ? LONGS[random.nextInt(LONGS.length)] : random.nextInt(1, 8);
  }

  private double aDouble() {
    return DOUBLES[random.nextInt(DOUBLES.length)];
  }

  private Object object(Class<?> type) {
    if (type == String.class) {
      return one(NAMES);
    } else if (type == Object.class) {
      return anything();
    } else if (type == Class.class) {
      return one(CLASSES);
    } else if (type == BigDecimal.class) {
      return decimal();
    } else if (type == InputStream.class) {
      return stream();
    } else if (type == Reader.class) {
      return reader();
    } else if (type == Calendar.class) {
      return calendar();
    } else if (type == SQLType.class) {
      return random.nextBoolean() ? one(List.of(JDBCType.values())) : faulty(SQLType.class);
    } else if (type == Executor.class) {
      return executor();
    } else if (type == Properties.class) {
      return properties();
    } else if (type == Map.class) {
      return random.nextBoolean() ? Map.of() : Map.of("x", String.class);
    } else if (type.isArray()) {
      return array(type);
    } else if (Date.class.isAssignableFrom(type)) {
      return date(type);
    }
    return handle(type);
  }

  /** Returns an object that the driver has created, or one that throws. */
  private Object handle(Class<?> type) {
    Object own = random.nextInt(4) == 0 ? null : pick.of(type);
    return own == null && type.isInterface() ? faulty(type) : own;
  }

  private Object anything() {
    return switch (random.nextInt(26)) {
      case 0 -> (byte) 1;
      case 1 -> (short) 300;
      case 2 -> anInt();
      case 3 -> aLong();
      case 4 -> (float) aDouble();
      case 5 -> aDouble();
      case 6 -> decimal();
      case 7 -> new BigInteger("9".repeat(random.nextInt(1, 60)));
      case 8 -> true;
      case 9 -> one(NAMES);
      case 10 -> new byte[random.nextInt(40)];
      case 11 -> date(Timestamp.class);
      case 12 -> date(java.sql.Date.class);
      case 13 -> date(Time.class);
      case 14 -> date(Date.class);
      case 15 -> random.nextBoolean() ? LocalDate.MAX : LocalDate.MIN;
      case 16 -> LocalTime.MAX;
      case 17 -> random.nextBoolean() ? LocalDateTime.MIN : LocalDateTime.MAX;
      case 18 -> random.nextBoolean() ? OffsetDateTime.MAX : OffsetDateTime.MIN;
      case 19 -> random.nextBoolean() ? Instant.MAX : Instant.MIN;
      case 20 -> calendar();
      case 21 -> handle(Blob.class);
      case 22 -> handle(Clob.class);
      case 23 -> random.nextBoolean() ? 'c' : new UUID(1, 2);
      case 24 -> Odd.CONSTANT;
      default -> new Object();
    };
  }

  private BigDecimal decimal() {
    return one(
        List.of(
            BigDecimal.ZERO,
            new BigDecimal("1.25"),
            new BigDecimal("-99999999.995"),
            new BigDecimal("1e30"),
            new BigDecimal("1e-30"),
            new BigDecimal("1e999999999"),
            new BigDecimal("1e-999999999"),
            new BigDecimal(BigInteger.ONE, Integer.MIN_VALUE),
            new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE),
            new BigDecimal("9".repeat(400))));
  }

  private Object date(Class<?> type) {
    long millis = aLong();
    if (type == Timestamp.class) {
      return new Timestamp(millis);
    } else if (type == Time.class) {
      return new Time(millis);
    }
    return type == java.sql.Date.class ? new java.sql.Date(millis) : new Date(millis);
  }

  private Calendar calendar() {
    return switch (random.nextInt(3)) {
      case 0 -> new GregorianCalendar(TimeZone.getTimeZone("Pacific/Apia"));
      case 1 -> {
        Calendar far = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        far.setTimeInMillis(aLong());
        yield far;
      }
      default -> FaultyObjects.calendar(one(FaultyObjects.FAULTS));
    };
  }

  private InputStream stream() {
    return switch (random.nextInt(3)) {
      case 0 -> FaultyObjects.stream(() -> new IOException("of the caller's"));
      case 1 -> FaultyObjects.stream(one(FaultyObjects.FAULTS));
      default -> new ByteArrayInputStream(new byte[random.nextInt(30)]);
    };
  }

  private Reader reader() {
    return random.nextInt(3) > 0
        ? new StringReader(one(NAMES))
        : FaultyObjects.reader(one(FaultyObjects.FAULTS));
  }

  private Executor executor() {
    return switch (random.nextInt(3)) {
      case 0 -> Runnable::run;
      case 1 ->
          task -> {
            throw new RejectedExecutionException("of the caller's");
          };
      default -> FaultyObjects.executor(one(FaultyObjects.FAULTS));
    };
  }

  private Properties properties() {
    Properties properties = new Properties();
    for (int i = random.nextInt(3); i > 0; i--) {
      properties.put(one(NAMES), random.nextBoolean() ? one(NAMES) : (Object) 1);
      properties.put(i, "a key that is no text");
    }
    return properties;
  }

  private Object array(Class<?> type) {
    int length = random.nextInt(4);
    if (type == int[].class) {
      return random.ints(length).map(i -> anInt()).toArray();
    } else if (type == byte[].class) {
      return new byte[length];
    } else if (type == String[].class) {
      String[] names = new String[length];
      for (int i = 0; i < length; i++) {
        names[i] = random.nextInt(5) == 0 ? null : one(NAMES);
      }
      return names;
    }
    return new Object[length];
  }

  /** Returns an object of the caller whose methods throw. */
  private Object faulty(Class<?> type) {
    return FaultyObjects.proxy(type, one(FaultyObjects.FAULTS));
  }

  /** Formats arguments for a trace. */
  static String show(Object[] arguments) {
    List<String> shown = new ArrayList<>();
    for (Object argument : arguments) {
      shown.add(show(argument));
    }
    return String.join(", ", shown);
  }

  private static String show(Object argument) {
    return switch (argument) {
      case null -> "null";
      case String text ->
          text.length() > 200
              ? '"' + text.substring(0, 60) + "...\" of length " + text.length()
              : '"' + text.replace("\0", "\\0") + '"';
      case Class<?> type -> type.getSimpleName() + ".class";
      case BigDecimal decimal ->
          "decimal of precision " + decimal.precision() + ", scale " + decimal.scale();
      case Number number -> number.toString();
      case Boolean flag -> flag.toString();
      case Timestamp timestamp -> "timestamp of " + timestamp.getTime();
      case Date date -> date.getClass().getSimpleName() + " of " + date.getTime();
      case int[] ints -> java.util.Arrays.toString(ints);
      case String[] texts -> java.util.Arrays.toString(texts);
      case PreparedStatement statement -> "prepared statement";
      default -> argument.getClass().getSimpleName();
    };
  }
}
