package org.nelumbo.tpcc.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * Reads order lines with one statement for the items of all lines and one for their stock. The
 * lists have the length of the longest order; a shorter order repeats its last line.
 */
final class LinesTogether extends OrderLines {
  private static final int NOT_FOUND = -1;

  private final PreparedStatement items;
  private final PreparedStatement[] stockOfDistrict =
      new PreparedStatement[Population.DISTRICTS + 1];

  LinesTogether(JdbcSession session) throws SQLException {
    items = session.prepare("new_order.items", "${keys}", list("?"));
    for (int i = 1; i <= Population.DISTRICTS; i++) {
      stockOfDistrict[i] =
          session.prepare(
              "new_order.stocks", "${dist}", districtColumn(i), "${keys}", list("(?, ?)"));
    }
  }

  @Override
  void read(OrderInput input) throws SQLException {
    readItems(input);
    found = 0;
    while (found < input.lines() && priceCents[found] != NOT_FOUND) {
      found++;
    }
    if (found > 0) {
      readStocks(input);
    }
  }

  private void readItems(OrderInput input) throws SQLException {
    int lines = input.lines();
    for (int i = 0; i < OrderInput.LINES_MAX; i++) {
      items.setInt(i + 1, input.item(Math.min(i, lines - 1)));
    }
    Arrays.fill(priceCents, 0, lines, NOT_FOUND);
    try (ResultSet row = items.executeQuery()) {
      while (row.next()) {
        int item = row.getInt(1);
        long cents = Money.cents(row.getBigDecimal(2));
        row.getString(3);
        row.getString(4);
        for (int i = 0; i < lines; i++) {
          if (input.item(i) == item) {
            priceCents[i] = cents;
          }
        }
      }
    }
  }

  private void readStocks(OrderInput input) throws SQLException {
    PreparedStatement statement = stockOfDistrict[input.district()];
    for (int i = 0; i < OrderInput.LINES_MAX; i++) {
      int line = Math.min(i, found - 1);
      statement.setInt(2 * i + 1, input.supplier(line));
      statement.setInt(2 * i + 2, input.item(line));
    }
    int read = 0;
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        int supplier = row.getInt(1);
        int item = row.getInt(2);
        int quantity = row.getInt(3);
        row.getString(4);
        String text = row.getString(5);
        for (int i = 0; i < found; i++) {
          if (input.item(i) == item && input.supplier(i) == supplier) {
            stock[i] = quantity;
            districtText[i] = text;
            read++;
          }
        }
      }
    }
    if (read != found) {
      throw new SQLException("no row: stock of " + (found - read) + " lines", "02000");
    }
  }

  private static String list(String key) {
    return String.join(", ", Collections.nCopies(OrderInput.LINES_MAX, key));
  }
}
