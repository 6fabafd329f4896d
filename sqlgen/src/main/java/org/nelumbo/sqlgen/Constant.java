package org.nelumbo.sqlgen;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * A constant, which is a literal or a parameter in a statement.
 *
 * @param literal SQL literal
 * @param value value of the parameter
 */
record Constant(DataType type, String literal, Object value) {
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "b",
          "ab",
          "Ab",
          "a%",
          "_b",
          "ab c",
          "1",
          "12",
          "-3",
          "x'y",
          "\u65e5",
          "abcdefgh");

  /** Draws a non-null constant of a type; equal ones are frequent. */
  static Constant of(DataType type, Dice dice) {
    return switch (type) {
      case INTEGER ->
          integer(
              dice.chance(4)
                  ? dice.of(Integer.MAX_VALUE, Integer.MIN_VALUE + 1)
                  : dice.below(12) - 3);
      case BIGINT ->
          bigint(
              dice.chance(4)
                  ? dice.of(Long.MAX_VALUE, 1L << 40, -(1L << 53) - 1)
                  : dice.below(12) - 3);
      case DECIMAL ->
          decimal(BigDecimal.valueOf(dice.chance(4) ? 9_999_999_999L : dice.below(1200) - 300, 2));
      case DOUBLE -> floating((dice.below(48) - 12) * 0.25);
      case VARCHAR -> text(dice.any(TEXTS));
      case BOOLEAN -> truth(dice.chance(50));
      case DATE -> day(dice);
      case TIMESTAMP -> moment(dice);
      case INSTANT -> instant(dice);
      case UUID -> uuid(dice);
      case INTERVAL -> interval(dice);
    };
  }

  static Constant integer(int value) {
    return new Constant(DataType.INTEGER, Integer.toString(value), value);
  }

  private static Constant bigint(long value) {
    return new Constant(DataType.BIGINT, Long.toString(value), value);
  }

  private static Constant decimal(BigDecimal value) {
    return new Constant(DataType.DECIMAL, value.toPlainString(), value);
  }

  private static Constant floating(double value) {
    return new Constant(DataType.DOUBLE, "CAST(" + value + " AS DOUBLE PRECISION)", value);
  }

  /** The boolean is a literal: the type of a parameter marker in a condition is unknown. */
  private static Constant truth(boolean value) {
    return new Constant(DataType.BOOLEAN, value ? "TRUE" : "FALSE", null);
  }

  static Constant text(String value) {
    return new Constant(DataType.VARCHAR, "'" + value.replace("'", "''") + "'", value);
  }

  private static Constant day(Dice dice) {
    LocalDate day = LocalDate.of(2024, 2, 27).plusDays(dice.below(6));
    return new Constant(DataType.DATE, "DATE '" + day + "'", day);
  }

  private static Constant instant(Dice dice) {
    OffsetDateTime instant =
        LocalDate.of(2024, 2, 27)
            .plusDays(dice.below(4))
            .atTime(dice.of(0, 12, 22), 30)
            .atOffset(ZoneOffset.ofHours(dice.of(-2, 0, 0, 1)));
    String literal =
        instant.toLocalDate() + " " + instant.toLocalTime() + ":00" + instant.getOffset();
    return new Constant(
        DataType.INSTANT,
        "TIMESTAMP WITH TIME ZONE '" + literal.replace("Z", "+00:00") + "'",
        instant);
  }

  /** Some values differ only in the sign of a half. */
  private static Constant uuid(Dice dice) {
    UUID value = new UUID(dice.of(0L, 1L, -1L, Long.MIN_VALUE), dice.of(0L, 1L, -2L));
    return new Constant(DataType.UUID, "CAST('" + value + "' AS UUID)", value);
  }

  /** The interval is a literal: PostgreSQL's driver does not accept java.time.Duration. */
  private static Constant interval(Dice dice) {
    String days = dice.of("0", "0", "1", "2", "31");
    String time = dice.of("00:00:00", "12:00:00", "00:00:01.5", "23:59:59");
    String value = dice.chance(20) ? "-" + days + " 00:00:00" : days + " " + time;
    return new Constant(DataType.INTERVAL, "INTERVAL '" + value + "' DAY TO SECOND", null);
  }

  private static Constant moment(Dice dice) {
    LocalDateTime moment =
        LocalDate.of(2024, 2, 27).plusDays(dice.below(6)).atTime(dice.of(0, 0, 12, 23), 0);
    String literal = moment.toLocalDate() + " " + moment.toLocalTime() + ":00";
    return new Constant(DataType.TIMESTAMP, "TIMESTAMP '" + literal + "'", moment);
  }
}
