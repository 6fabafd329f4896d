package org.nelumbo.sqlgen;

import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;

/** Rows as text that is the same for equal values, whatever the database and the type. */
final class RowText {
  private static final int DIGITS_EXACT = 18;

  private RowText() {}

  static String of(ResultSet rows, ResultSetMetaData columns) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      text.append(i == 1 ? "" : " | ").append(value(rows, i, columns.getColumnType(i)));
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
              Types.NUMERIC,
              Types.REAL,
              Types.FLOAT,
              Types.DOUBLE ->
              number(rows.getString(column));
          case Types.TIMESTAMP -> moment(rows, column);
          case Types.TIMESTAMP_WITH_TIMEZONE -> instant(rows, column);
          case Types.DATE -> String.valueOf(rows.getDate(column));
          default -> "'" + rows.getString(column) + "'";
        };
    return rows.wasNull() ? "NULL" : value;
  }

  private static String moment(ResultSet rows, int column) throws SQLException {
    LocalDateTime moment = rows.getObject(column, LocalDateTime.class);
    return moment == null ? "NULL" : moment.toString();
  }

  private static String instant(ResultSet rows, int column) throws SQLException {
    OffsetDateTime instant = rows.getObject(column, OffsetDateTime.class);
    return instant == null ? "NULL" : instant.toInstant().toString();
  }

  private static String number(String text) {
    if (text == null) {
      return "NULL";
    }
    try {
      BigDecimal number = new BigDecimal(text).stripTrailingZeros();
      boolean exact = number.scale() <= 0 && number.precision() <= DIGITS_EXACT;
      BigDecimal shown = exact ? number : number.round(new MathContext(10)).stripTrailingZeros();
      return shown.signum() == 0 ? "0" : shown.toPlainString();
    } catch (NumberFormatException special) {
      return text;
    }
  }
}
