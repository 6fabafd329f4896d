package org.nelumbo.sqlgen;

import static java.util.Locale.ROOT;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Formats rows as text that is equal for equal values, independent of database and type. */
final class RowText {
  /**
   * Number of digits of whole numbers that are exact as a DOUBLE and printed alike by all
   * databases.
   */
  private static final int DIGITS_EXACT = 15;

  private static final int DIGITS_SHOWN = 10;
  private static final Pattern POSTGRESQL_INTERVAL =
      Pattern.compile("(?:([+-]?\\d+) days?)? ?(?:([+-]?)(\\d+):(\\d+):([\\d.]+))?");

  private RowText() {}

  static String of(ResultSet rows, ResultSetMetaData columns) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      String type = columns.getColumnTypeName(i).toUpperCase(ROOT);
      text.append(i == 1 ? "" : " | ")
          .append(
              type.startsWith("INTERVAL")
                  ? interval(rows, i)
                  : type.equals("TIMESTAMPTZ") // PostgreSQL's type, which has the type number of a
                      // TIMESTAMP
                      ? instant(rows, i)
                      : value(rows, i, columns.getColumnType(i)));
    }
    return text.toString();
  }

  private static String value(ResultSet rows, int column, int type) throws SQLException {
    String value =
        switch (type) {
          case Types.BOOLEAN, Types.BIT -> Boolean.toString(rows.getBoolean(column));
          case Types.TINYINT,
              Types.SMALLINT,
              Types.INTEGER,
              Types.BIGINT,
              Types.DECIMAL,
              Types.NUMERIC ->
              exactNumber(rows.getString(column));
          case Types.REAL, Types.FLOAT, Types.DOUBLE -> floatingNumber(rows.getString(column));
          case Types.TIMESTAMP -> moment(rows, column);
          case Types.TIMESTAMP_WITH_TIMEZONE -> instant(rows, column);
          case Types.DATE -> String.valueOf(rows.getDate(column));
          default -> "'" + rows.getString(column) + "'";
        };
    return rows.wasNull() ? "NULL" : value;
  }

  /** In PostgreSQL days and time have separate signs. */
  private static String interval(ResultSet rows, int column) throws SQLException {
    String text = rows.getString(column);
    if (text == null) {
      return "NULL";
    }
    Matcher parts = POSTGRESQL_INTERVAL.matcher(text);
    if (!parts.matches()) {
      return rows.getObject(column, Duration.class).toString();
    }
    Duration days = Duration.ofDays(parts.group(1) == null ? 0 : Long.parseLong(parts.group(1)));
    if (parts.group(3) == null) {
      return days.toString();
    }
    Duration time =
        Duration.ofHours(Long.parseLong(parts.group(3)))
            .plusMinutes(Long.parseLong(parts.group(4)))
            .plusNanos(new BigDecimal(parts.group(5)).movePointRight(9).longValue());
    return (parts.group(2).equals("-") ? days.minus(time) : days.plus(time)).toString();
  }

  private static String moment(ResultSet rows, int column) throws SQLException {
    LocalDateTime moment = rows.getObject(column, LocalDateTime.class);
    return moment == null ? "NULL" : moment.toString();
  }

  private static String instant(ResultSet rows, int column) throws SQLException {
    OffsetDateTime instant = rows.getObject(column, OffsetDateTime.class);
    return instant == null ? "NULL" : instant.toInstant().toString();
  }

  /**
   * Formats all digits of whole numbers, and at most ten digits and ten decimals of others:
   * quotients have sixteen digits in all databases, and are rarely halves at the last digit shown.
   */
  private static String exactNumber(String text) {
    if (text == null) {
      return "NULL";
    }
    BigDecimal number = new BigDecimal(text).stripTrailingZeros();
    if (number.scale() > 0) {
      number = number.round(new MathContext(DIGITS_SHOWN));
      number =
          number
              .setScale(Math.min(number.scale(), DIGITS_SHOWN), RoundingMode.HALF_UP)
              .stripTrailingZeros();
    }
    return number.signum() == 0 ? "0" : number.toPlainString();
  }

  /** Formats all digits of whole numbers that every database prints alike, ten of others. */
  private static String floatingNumber(String text) {
    if (text == null) {
      return "NULL";
    }
    try {
      BigDecimal number = new BigDecimal(text).stripTrailingZeros();
      boolean exact = number.scale() <= 0 && number.precision() - number.scale() <= DIGITS_EXACT;
      BigDecimal shown =
          exact ? number : number.round(new MathContext(DIGITS_SHOWN)).stripTrailingZeros();
      return shown.signum() == 0 ? "0" : shown.toPlainString();
    } catch (NumberFormatException special) {
      return text;
    }
  }
}
