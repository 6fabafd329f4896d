package org.nelumbo.queries;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The rows of a query, in a form in which databases can be compared: without order, since rows that
 * are equal in what they are ordered by come in any order; numbers to two decimals, since databases
 * differ in the scale of quotients; texts without the blanks that CHAR may have.
 */
record QueryResult(List<List<Object>> rows) {
  private static final int SCALE = 2;

  /** By how much numbers may differ that were rounded twice. */
  private static final BigDecimal ROUNDING = new BigDecimal("0.011");

  /** Reads a result to its end: all values of all rows, as the driver gives them. */
  static List<Object[]> read(ResultSet result) throws SQLException {
    int columns = result.getMetaData().getColumnCount();
    List<Object[]> rows = new ArrayList<>();
    while (result.next()) {
      Object[] row = new Object[columns];
      for (int i = 0; i < columns; i++) {
        row[i] = result.getObject(i + 1);
      }
      rows.add(row);
    }
    return rows;
  }

  /** Brings rows that have been read into a form in which those of all databases are equal. */
  static QueryResult of(List<Object[]> read) {
    List<List<Object>> rows = new ArrayList<>();
    for (Object[] row : read) {
      rows.add(Arrays.stream(row).map(QueryResult::value).toList());
    }
    rows.sort(Comparator.comparing(QueryResult::texts).thenComparing(Object::toString));
    return new QueryResult(rows);
  }

  private static Object value(Object value) {
    return switch (value) {
      case null -> "NULL";
      case Number number -> new BigDecimal(number.toString()).setScale(SCALE, RoundingMode.HALF_UP);
      default -> value.toString().stripTrailing();
    };
  }

  /** What rows are ordered by first: it does not depend on how numbers are rounded. */
  private static String texts(List<Object> row) {
    StringBuilder texts = new StringBuilder();
    for (Object value : row) {
      boolean isWhole =
          value instanceof BigDecimal number && number.stripTrailingZeros().scale() <= 0;
      texts.append(value instanceof BigDecimal && !isWhole ? "" : value).append('\0');
    }
    return texts.toString();
  }

  /** Where this result is not like another one; null if it is. */
  String difference(QueryResult other) {
    if (rows.size() != other.rows.size()) {
      return rows.size() + " rows instead of " + other.rows.size();
    }
    for (int i = 0; i < rows.size(); i++) {
      if (!isLike(rows.get(i), other.rows.get(i))) {
        return rows.get(i) + " instead of " + other.rows.get(i);
      }
    }
    return null;
  }

  private static boolean isLike(List<Object> a, List<Object> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      boolean like =
          a.get(i) instanceof BigDecimal x && b.get(i) instanceof BigDecimal y
              ? x.subtract(y).abs().compareTo(ROUNDING) <= 0
              : a.get(i).equals(b.get(i));
      if (!like) {
        return false;
      }
    }
    return true;
  }
}
