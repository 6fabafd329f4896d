package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.CivilCalendar;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.FractionalSeconds;
import org.nelumbo.types.Kind;
import org.nelumbo.types.TimeUnit;

/**
 * Creates functions of dates, times and intervals. Intervals are months (INTERVAL_MONTHS) or
 * microseconds (INTERVAL_MICROS).
 */
public final class DatetimeFunctions {
  private static final int COUNT_SCALE = 9;

  private DatetimeFunctions() {}

  // The statement's time.

  /** Creates CURRENT_DATE in the session's zone. */
  public static Expression currentDate() {
    return now("CURRENT_DATE", ColumnType.of(Kind.DATE), DatetimeCasts::today);
  }

  /** Creates CURRENT_TIME or LOCALTIME with the precision of a type, in the session's zone. */
  public static Expression currentTime(ColumnType type) {
    return now(
        "CURRENT_TIME",
        type,
        f ->
            Math.floorMod(
                DatetimeCasts.toLocal(f, f.statementMicros()), CivilCalendar.MICROS_PER_DAY));
  }

  /**
   * Creates CURRENT_TIMESTAMP or LOCALTIMESTAMP of a type: local time for TIMESTAMP, an instant
   * otherwise.
   */
  public static Expression currentTimestamp(ColumnType type) {
    return type.kind() == Kind.TIMESTAMP
        ? now("CURRENT_TIMESTAMP", type, f -> DatetimeCasts.toLocal(f, f.statementMicros()))
        : now("CURRENT_TIMESTAMP", type, Frame::statementMicros);
  }

  @FunctionalInterface
  private interface Source {
    long read(Frame frame);
  }

  private static Expression now(String name, ColumnType type, Source source) {
    long unit = FractionalSeconds.unit(type);
    return new LongFunctionCall(
        name, type.withNullable(false), (f, a) -> FractionalSeconds.truncate(source.read(f), unit));
  }

  // Arithmetic.

  /**
   * Creates the sum (or difference) of a date, time or timestamp and an interval; a TIME wraps
   * around at midnight.
   */
  public static Expression plus(Expression datetime, Expression interval, boolean minus) {
    ColumnType type = datetime.type();
    boolean months = interval.type().kind() == Kind.INTERVAL_MONTHS;
    if (months && type.kind() == Kind.TIMESTAMP_LTZ) {
      return Casts.cast(
          type, plus(local(datetime), interval, minus)); // months are months of local time
    }
    LongFunctionCall.Body body =
        (f, a) -> {
          long value = a[0].evalLong(f);
          if (f.isNull) {
            return 0;
          }
          long amount = a[1].evalLong(f);
          return f.isNull ? 0 : add(type.kind(), months, value, minus ? -amount : amount);
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            minus ? "MINUS" : "PLUS",
            NumericFunctions.nullable(type, datetime, interval),
            body,
            datetime,
            interval));
  }

  /** Converts an instant to local time of the session's zone. */
  static Expression local(Expression instant) {
    return Casts.cast(ColumnType.of(Kind.TIMESTAMP, instant.type().precision()), instant);
  }

  /**
   * Creates {@code value AT TIME ZONE zone}, which converts a TIMESTAMP in the zone to an instant,
   * or the reverse.
   */
  public static Expression atZone(Expression value, Expression zone) {
    Kind kind = value.type().kind();
    if (kind == Kind.DATE) {
      return atZone(Casts.cast(ColumnType.of(Kind.TIMESTAMP), value), zone);
    } else if (kind != Kind.TIMESTAMP && kind != Kind.TIMESTAMP_LTZ) {
      throw new NelumboException(
          ErrorCode.TYPE_MISMATCH, "AT TIME ZONE takes a timestamp, not " + value.type().sqlName());
    }
    boolean toLocal = kind == Kind.TIMESTAMP_LTZ;
    ColumnType type =
        ColumnType.of(toLocal ? Kind.TIMESTAMP : Kind.TIMESTAMP_LTZ, value.type().precision());
    Expression name = TextFunctions.text(zone);
    LongFunctionCall.Body body =
        (f, a) -> {
          long micros = a[0].evalLong(f);
          if (f.isNull) {
            return 0;
          }
          String text = (String) a[1].evalObject(f);
          if (text == null) {
            return f.nullLong();
          }
          ZoneId id = DatetimeText.parseZone(text);
          return toLocal ? DatetimeText.toLocal(id, micros) : DatetimeText.toInstant(id, micros);
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "AT TIME ZONE", NumericFunctions.nullable(type, value, name), body, value, name));
  }

  /**
   * Creates DATE_BIN: the start of the interval that contains a timestamp; intervals are counted
   * from an origin.
   */
  public static Expression bin(ColumnType type, List<Expression> operands) {
    ColumnType each = type.orNull();
    return StrictFunctions.number(
        "DATE_BIN",
        type,
        (_, values) -> {
          long stride = (Long) values[0];
          if (stride <= 0) {
            throw new NelumboException(
                ErrorCode.DATETIME_OVERFLOW, "the interval of DATE_BIN has to be longer than 0");
          }
          long origin = (Long) values[2];
          long distance = Math.subtractExact((Long) values[1], origin);
          return origin + Math.floorDiv(distance, stride) * stride;
        },
        List.of(
            operands.get(0), Casts.cast(each, operands.get(1)), Casts.cast(each, operands.get(2))));
  }

  private static long add(Kind kind, boolean months, long value, long amount) {
    try {
      return switch (kind) {
        case DATE -> {
          long day =
              months
                  ? CivilCalendar.plusMonths(value, amount)
                  : Math.addExact(value, Math.floorDiv(amount, CivilCalendar.MICROS_PER_DAY));
          yield Math.toIntExact(day);
        }
        case TIME ->
            Math.floorMod(
                value + amount % CivilCalendar.MICROS_PER_DAY, CivilCalendar.MICROS_PER_DAY);
        default -> months ? addMonths(value, amount) : Math.addExact(value, amount);
      };
    } catch (ArithmeticException overflow) {
      throw new NelumboException(ErrorCode.DATETIME_OVERFLOW, kind + " out of range");
    }
  }

  private static long addMonths(long micros, long months) {
    long day = Math.floorDiv(micros, CivilCalendar.MICROS_PER_DAY);
    long rest = micros - day * CivilCalendar.MICROS_PER_DAY;
    long moved =
        Math.multiplyExact(CivilCalendar.plusMonths(day, months), CivilCalendar.MICROS_PER_DAY);
    return Math.addExact(moved, rest);
  }

  /**
   * Creates the difference of two dates, times or timestamps.
   *
   * @param type INTERVAL_MICROS, INTERVAL_MONTHS (whole months) or an integer kind (days of DATEs)
   */
  public static Expression minus(ColumnType type, Expression left, Expression right) {
    if (left.type().kind() != right.type().kind()) {
      Kind wider =
          left.type().kind().ordinal() > right.type().kind().ordinal()
              ? left.type().kind()
              : right.type().kind();
      ColumnType common = ColumnType.of(wider);
      return minus(type, Casts.cast(common, left), Casts.cast(common, right));
    }
    Kind kind = left.type().kind();
    LongFunctionCall.Body body =
        (f, a) -> {
          long x = a[0].evalLong(f);
          if (f.isNull) {
            return 0;
          }
          long y = a[1].evalLong(f);
          return f.isNull ? 0 : difference(type.kind(), kind, x, y);
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "MINUS", NumericFunctions.nullable(type, left, right), body, left, right));
  }

  private static long difference(Kind result, Kind kind, long left, long right) {
    return switch (result) {
      case INTERVAL_MONTHS -> monthsBetween(micros(kind, right), micros(kind, left));
      case INTERVAL_MICROS -> micros(kind, left) - micros(kind, right);
      default -> left - right;
    };
  }

  private static long micros(Kind kind, long raw) {
    return kind == Kind.DATE ? raw * CivilCalendar.MICROS_PER_DAY : raw;
  }

  private static long monthsBetween(long from, long to) {
    long a = CivilCalendar.ofDay(Math.floorDiv(from, CivilCalendar.MICROS_PER_DAY));
    long b = CivilCalendar.ofDay(Math.floorDiv(to, CivilCalendar.MICROS_PER_DAY));
    long months =
        (CivilCalendar.year(b) - CivilCalendar.year(a)) * 12L
            + CivilCalendar.month(b)
            - CivilCalendar.month(a);
    long fromRest =
        CivilCalendar.day(a) * CivilCalendar.MICROS_PER_DAY
            + Math.floorMod(from, CivilCalendar.MICROS_PER_DAY);
    long toRest =
        CivilCalendar.day(b) * CivilCalendar.MICROS_PER_DAY
            + Math.floorMod(to, CivilCalendar.MICROS_PER_DAY);
    if (months > 0 && toRest < fromRest) {
      months--;
    } else if (months < 0 && toRest > fromRest) {
      months++;
    }
    return months;
  }

  /** Creates TIMESTAMPDIFF: the whole units from one point in time to another. */
  public static Expression between(ColumnType type, TimeUnit unit, Expression from, Expression to) {
    boolean months = unit.months() > 0;
    if (!months && unit.micros() == 0) {
      throw new NelumboException(ErrorCode.UNSUPPORTED, "no difference in units of " + unit);
    }
    ColumnType interval = ColumnType.of(months ? Kind.INTERVAL_MONTHS : Kind.INTERVAL_MICROS);
    long divisor = months ? unit.months() : unit.micros();
    Expression difference = minus(interval, to, from);
    LongFunctionCall.Body body =
        (f, a) -> {
          long value = a[0].evalLong(f);
          return f.isNull ? 0 : ExactNumbers.check(type, value / divisor);
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "TIMESTAMPDIFF_" + unit,
            NumericFunctions.nullable(type, difference),
            body,
            difference));
  }

  /**
   * Creates an interval of {@code count} units, for TIMESTAMPADD and {@code n * INTERVAL '1' DAY}.
   */
  public static Expression interval(TimeUnit unit, Expression count) {
    boolean months = unit.months() > 0;
    long factor = months ? unit.months() : unit.micros();
    if (factor == 0) {
      throw new NelumboException(ErrorCode.UNSUPPORTED, "no interval in units of " + unit);
    }
    ColumnType type = ColumnType.of(months ? Kind.INTERVAL_MONTHS : Kind.INTERVAL_MICROS);
    Expression number = Casts.cast(ColumnType.of(Kind.BIGINT), count);
    LongFunctionCall.Body body =
        (f, a) -> {
          long value = a[0].evalLong(f);
          long product = value * factor;
          if (Math.multiplyHigh(value, factor) != product >> 63) {
            throw new NelumboException(ErrorCode.DATETIME_OVERFLOW, "interval out of range");
          }
          return product;
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "INTERVAL_" + unit, NumericFunctions.nullable(type, number), body, number));
  }

  /** Creates the number of units in an interval, converted to the target type. */
  public static Expression count(ColumnType target, TimeUnit unit, Expression interval) {
    boolean months = interval.type().kind() == Kind.INTERVAL_MONTHS;
    BigDecimal length = BigDecimal.valueOf(months ? unit.months() : unit.micros());
    ColumnType decimal = ColumnType.decimal(ColumnType.MAX_DECIMAL_PRECISION, COUNT_SCALE);
    Expression count =
        new ObjectFunctionCall(
            "COUNT_" + unit,
            NumericFunctions.nullable(decimal, interval),
            (f, a) -> {
              long raw = a[0].evalLong(f);
              return f.takeNull()
                  ? null
                  : BigDecimal.valueOf(raw).divide(length, COUNT_SCALE, RoundingMode.HALF_UP);
            },
            interval);
    return Casts.cast(target, FunctionSupport.fold(count));
  }

  /**
   * Creates the sum or difference of intervals, or their product or quotient with a number,
   * computed on raw values.
   */
  public static Expression intervalArithmetic(
      ArithmeticOp op, ColumnType type, Expression left, Expression right) {
    Expression a = raw(left);
    Expression b = raw(right);
    boolean integers = a.type().kind() == Kind.BIGINT && b.type().kind() == Kind.BIGINT;
    Expression result =
        integers
            ? NumericFunctions.arithmetic(op, ColumnType.of(Kind.BIGINT), a, b)
            : Casts.cast(
                ColumnType.of(Kind.BIGINT),
                NumericFunctions.arithmetic(op, ColumnType.of(Kind.DOUBLE), a, b));
    return new RelabelType(NumericFunctions.nullable(type, result), result);
  }

  private static Expression raw(Expression operand) {
    Kind kind = operand.type().kind();
    boolean interval = kind == Kind.INTERVAL_MONTHS || kind == Kind.INTERVAL_MICROS;
    ColumnType bigint = NumericFunctions.nullable(ColumnType.of(Kind.BIGINT), operand);
    return interval
        ? new RelabelType(bigint, operand)
        : kind.isInteger() ? Casts.cast(bigint, operand) : operand;
  }

  // Fields.

  /**
   * Creates EXTRACT of a field of a date, time, timestamp or interval.
   *
   * @param type type of the result; a DECIMAL for a field counted in seconds, to include the
   *     fraction
   */
  public static Expression extract(ColumnType type, TimeUnit unit, Expression operand) {
    Kind kind = operand.type().kind();
    boolean exact = type.kind() == Kind.DECIMAL;
    boolean isLocal = kind == Kind.TIMESTAMP_LTZ && unit != TimeUnit.EPOCH;
    LongFunctionCall.Body body =
        (f, a) -> {
          long value = a[0].evalLong(f);
          if (f.isNull) {
            return 0;
          }
          long time = isLocal ? DatetimeCasts.toLocal(f, value) : value;
          long field =
              exact
                  ? DatetimeFields.extractMicros(unit, kind, time)
                  : DatetimeFields.extract(unit, kind, time);
          return ExactNumbers.check(type, field);
        };
    Expression call =
        new LongFunctionCall(
            "EXTRACT_" + unit, NumericFunctions.nullable(type, operand), body, operand);
    return isLocal ? new VolatileExpression(call) : FunctionSupport.fold(call);
  }

  /** Creates MAKE_DATE of a year, a month and a day. */
  public static Expression makeDate(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "MAKE_DATE",
        type,
        (_, values) -> {
          try {
            return LocalDate.of(
                    Math.toIntExact((Long) values[0]),
                    Math.toIntExact((Long) values[1]),
                    Math.toIntExact((Long) values[2]))
                .toEpochDay();
          } catch (DateTimeException | ArithmeticException e) {
            throw new NelumboException(
                ErrorCode.BAD_DATETIME,
                "there is no date " + values[0] + "-" + values[1] + "-" + values[2],
                e);
          }
        },
        operands.stream().map(each -> Casts.cast(ColumnType.of(Kind.BIGINT), each)).toList());
  }

  /** Creates MAKE_TIME of an hour, a minute, and seconds with a fraction. */
  public static Expression makeTime(ColumnType type, List<Expression> operands) {
    ColumnType whole = ColumnType.of(Kind.BIGINT);
    return StrictFunctions.number(
        "MAKE_TIME",
        type,
        (_, values) -> {
          long hour = (Long) values[0];
          long minute = (Long) values[1];
          long micros = (Long) values[2];
          boolean exists =
              hour >= 0
                  && hour < 24
                  && minute >= 0
                  && minute < 60
                  && micros >= 0
                  && micros < CivilCalendar.MICROS_PER_MINUTE;
          if (!exists) {
            throw new NelumboException(
                ErrorCode.BAD_DATETIME,
                "there is no time of hour " + hour + ", minute " + minute + " and these seconds");
          }
          return hour * CivilCalendar.MICROS_PER_HOUR
              + minute * CivilCalendar.MICROS_PER_MINUTE
              + micros;
        },
        List.of(
            Casts.cast(whole, operands.get(0)),
            Casts.cast(whole, operands.get(1)),
            Casts.cast(ColumnType.decimal(18, 6), operands.get(2))));
  }

  /** Creates FLOOR(datetime TO unit), or CEIL. */
  public static Expression floor(TimeUnit unit, Expression operand, boolean ceil) {
    ColumnType type = operand.type();
    if (type.kind() == Kind.TIMESTAMP_LTZ) {
      return unit.micros() > 0 && unit.micros() < CivilCalendar.MICROS_PER_DAY
          ? floorInstant(unit, operand, ceil)
          : Casts.cast(type, floor(unit, local(operand), ceil));
    }
    LongFunctionCall.Body body =
        (f, a) -> {
          long value = a[0].evalLong(f);
          return f.isNull ? 0 : DatetimeFields.floor(unit, type.kind(), value, ceil);
        };
    return FunctionSupport.fold(new LongFunctionCall(floorName(unit, ceil), type, body, operand));
  }

  /**
   * The offset from UTC is kept, since the local time alone does not identify one of the two hours
   * when clocks are set back.
   */
  private static Expression floorInstant(TimeUnit unit, Expression operand, boolean ceil) {
    LongFunctionCall.Body body =
        (f, a) -> {
          long value = a[0].evalLong(f);
          if (f.isNull) {
            return 0;
          }
          long offset = DatetimeCasts.toLocal(f, value) - value;
          return DatetimeFields.floor(unit, Kind.TIMESTAMP, value + offset, ceil) - offset;
        };
    return new VolatileExpression(
        new LongFunctionCall(floorName(unit, ceil), operand.type(), body, operand));
  }

  private static String floorName(TimeUnit unit, boolean ceil) {
    return (ceil ? "CEIL_" : "FLOOR_") + unit;
  }
}
