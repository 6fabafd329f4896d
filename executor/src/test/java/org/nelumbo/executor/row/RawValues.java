package org.nelumbo.executor.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/**
 * Generates types and raw values of them, including limits, and has an independent order of values.
 */
final class RawValues {
  static final List<ColumnType> TYPES =
      List.of(
          ColumnType.of(Kind.BOOLEAN),
          ColumnType.of(Kind.TINYINT),
          ColumnType.of(Kind.SMALLINT),
          ColumnType.of(Kind.INTEGER),
          ColumnType.of(Kind.BIGINT),
          ColumnType.of(Kind.REAL),
          ColumnType.of(Kind.DOUBLE),
          ColumnType.decimal(2, 1),
          ColumnType.decimal(4, 4),
          ColumnType.decimal(9, 0),
          ColumnType.decimal(18, 6),
          ColumnType.decimal(19, 3),
          ColumnType.decimal(38, 10),
          ColumnType.of(Kind.NUMERIC),
          ColumnType.of(Kind.CHAR, 12),
          ColumnType.of(Kind.VARCHAR, 12),
          ColumnType.of(Kind.BINARY, 6),
          ColumnType.of(Kind.VARBINARY, 12),
          ColumnType.of(Kind.UUID),
          ColumnType.of(Kind.DATE),
          ColumnType.of(Kind.TIME),
          ColumnType.of(Kind.TIMESTAMP),
          ColumnType.of(Kind.TIMESTAMP_LTZ),
          ColumnType.of(Kind.INTERVAL_MONTHS),
          ColumnType.of(Kind.INTERVAL_MICROS));

  private static final Map<ColumnType, List<Object>> EDGES = new ConcurrentHashMap<>();

  private RawValues() {}

  static Arbitrary<ColumnType> types() {
    return Arbitraries.of(TYPES)
        .flatMap(type -> Arbitraries.of(true, false).map(type::withNullable));
  }

  /**
   * Returns raw values of a type, with Java's null for NULL if the type is nullable. One in ten is
   * a limit or another edge case, so that properties of rows do not need jqwik's own edge cases:
   * combining those of all columns takes a hundred times as long as the test of a row.
   */
  static Arbitrary<Object> values(ColumnType type) {
    List<Object> edges = EDGES.computeIfAbsent(type.withNullable(false), RawValues::edges);
    Arbitrary<Object> present =
        Arbitraries.frequencyOf(Tuple.of(9, present(type)), Tuple.of(1, Arbitraries.of(edges)));
    return type.nullable() ? present.injectNull(0.2) : present;
  }

  private static List<Object> edges(ColumnType type) {
    return present(type).edgeCases().suppliers().stream().map(each -> each.get().value()).toList();
  }

  private static Arbitrary<Object> present(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> longs(0, 1);
      case TINYINT -> longs(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> longs(Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER, DATE -> longs(Integer.MIN_VALUE, Integer.MAX_VALUE);
      case TIME -> longs(0, 86_399_999_999L);
      case REAL ->
          Arbitraries.floats()
              .edgeCases(e -> e.add(Float.MAX_VALUE, -Float.MAX_VALUE, Float.MIN_VALUE, 0f))
              .map(f -> Double.doubleToRawLongBits(f + 0f));
      case DOUBLE -> Arbitraries.doubles().map(d -> Double.doubleToRawLongBits(d + 0.0));
      case DECIMAL -> decimals(type);
      case NUMERIC -> numerics();
      case CHAR, VARCHAR -> texts(type);
      case BINARY -> Arbitraries.bytes().array(byte[].class).ofSize(type.precision()).map(b -> b);
      case VARBINARY ->
          Arbitraries.bytes()
              .edgeCases(e -> e.add((byte) 0, (byte) 1, (byte) -1))
              .array(byte[].class)
              .ofMaxSize(type.precision())
              .map(b -> b);
      case UUID ->
          net.jqwik.api.Combinators.combine(Arbitraries.longs(), Arbitraries.longs())
              .as((high, low) -> new UUID(high, low));
      default -> longs(Long.MIN_VALUE, Long.MAX_VALUE);
    };
  }

  private static Arbitrary<Object> longs(long least, long most) {
    return Arbitraries.longs().between(least, most).map(l -> l);
  }

  private static Arbitrary<Object> decimals(ColumnType type) {
    BigInteger most = BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE);
    return Arbitraries.bigIntegers()
        .between(most.negate(), most)
        .map(
            unscaled ->
                type.isLong() ? unscaled.longValueExact() : new BigDecimal(unscaled, type.scale()));
  }

  private static Arbitrary<Object> numerics() {
    BigInteger most = BigInteger.TEN.pow(Decimals.NUMERIC_DIGITS).subtract(BigInteger.ONE);
    Arbitrary<BigInteger> digits =
        Arbitraries.frequencyOf(
            Tuple.of(
                4,
                Arbitraries.integers()
                    .between(-1_000_000, 1_000_000)
                    .map(value -> BigInteger.valueOf(value))),
            Tuple.of(1, Arbitraries.bigIntegers().between(most.negate(), most)));
    Arbitrary<Integer> scales = Arbitraries.of(0, 1, 2, 3, 4, 7, 100, 999, 1_000);
    return net.jqwik.api.Combinators.combine(digits, scales)
        .as((unscaled, scale) -> Decimals.toNumeric(new BigDecimal(unscaled, scale)));
  }

  private static Arbitrary<Object> texts(ColumnType type) {
    return Arbitraries.strings()
        .withCharRange('a', 'c')
        .withChars('\0', '\1', '\2', ' ', '\u007f', '\u0080', '\u00e9', '\u4e2d', '\ufffd')
        .ofMaxLength(type.precision())
        .flatMap(text -> Arbitraries.of(text, text.length() < 10 ? text + "\ud83d\ude00" : text))
        .map(text -> type.kind() == Kind.CHAR ? pad(text, type.precision()) : text);
  }

  static String pad(String text, int width) {
    return text + " ".repeat(width - text.codePointCount(0, text.length()));
  }

  /** Compares two values of a type; NULL (null) is first. */
  static int compare(ColumnType type, Object left, Object right) {
    if (left == null || right == null) {
      return Boolean.compare(left != null, right != null);
    }
    return switch (type.kind()) {
      case REAL, DOUBLE ->
          Double.compare(
              Double.longBitsToDouble((long) left), Double.longBitsToDouble((long) right));
      case CHAR ->
          compareText(
              ((String) left).replaceAll(" +$", ""), ((String) right).replaceAll(" +$", ""));
      case VARCHAR -> compareText((String) left, (String) right);
      case BINARY, VARBINARY -> Arrays.compareUnsigned((byte[]) left, (byte[]) right);
      case UUID -> left.toString().compareTo(right.toString());
      case NUMERIC -> ((BigDecimal) left).compareTo((BigDecimal) right);
      case DECIMAL ->
          type.isLong()
              ? Long.compare((long) left, (long) right)
              : ((BigDecimal) left).compareTo((BigDecimal) right);
      default -> Long.compare((long) left, (long) right);
    };
  }

  private static int compareText(String left, String right) {
    return Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
  }

  static boolean same(Object left, Object right) {
    return left instanceof byte[] bytes
        ? Arrays.equals(bytes, (byte[]) right)
        : java.util.Objects.equals(left, right);
  }

  static void append(KeyBuffer key, ColumnType type, boolean descending, Object value) {
    if (value == null) {
      KeyEncoder.appendNull(key, descending);
    } else if (type.isLong()) {
      KeyEncoder.appendLong(key, type, descending, (long) value);
    } else {
      KeyEncoder.appendObject(key, type, descending, value);
    }
  }

  static Object decode(byte[] bytes, int at, ColumnType type, boolean descending) {
    if (KeyEncoder.isNull(bytes, at, type, descending)) {
      return null;
    }
    return type.isLong()
        ? (Object) KeyEncoder.longAt(bytes, at, type, descending)
        : KeyEncoder.objectAt(bytes, at, type, descending);
  }
}
