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
 * The rows of a query in a form in which the results of databases can be compared. Rows are sorted,
 * because rows with equal sort keys come in any order. Numbers have two decimals, because databases
 * differ in the scale of quotients. Texts have no trailing blanks, because CHAR pads with them.
 */
record QueryResult(List<List<Object>> rows) {
  private static final int SCALE = 2;

  /** Maximum difference between numbers that were rounded twice. */
  private static final BigDecimal ROUNDING = new BigDecimal("0.011");

  /** Reads a result to its end; returns the values of all rows as the driver returns them. */
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

  /** Converts rows to a form that is the same for all databases. */
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

  /** Returns the first sort key of a row, which does not depend on the rounding of numbers. */
  private static String texts(List<Object> row) {
    StringBuilder texts = new StringBuilder();
    for (Object value : row) {
      boolean isWhole =
          value instanceof BigDecimal number && number.stripTrailingZeros().scale() <= 0;
      texts.append(value instanceof BigDecimal && !isWhole ? "" : value).append('\0');
    }
    return texts.toString();
  }

  /** Describes the first difference from another result; returns null if both are equal. */
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
