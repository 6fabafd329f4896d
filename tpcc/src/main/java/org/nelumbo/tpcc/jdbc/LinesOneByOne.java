package org.nelumbo.tpcc.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.tpcc.data.Money;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.terminal.OrderInput;

/** Reads order lines with two statements for each line. */
final class LinesOneByOne extends OrderLines {
  private final PreparedStatement item;
  private final PreparedStatement[] stockOfDistrict =
      new PreparedStatement[Population.DISTRICTS + 1];

  LinesOneByOne(JdbcSession session) throws SQLException {
    item = session.prepare("new_order.item");
    for (int i = 1; i <= Population.DISTRICTS; i++) {
      stockOfDistrict[i] = session.prepare("new_order.stock", "${dist}", districtColumn(i));
    }
  }

  @Override
  void read(OrderInput input) throws SQLException {
    found = 0;
    while (found < input.lines() && readItem(input, found)) {
      readStock(input, found);
      found++;
    }
  }

  /** Returns false if the item does not exist. */
  private boolean readItem(OrderInput input, int line) throws SQLException {
    item.setInt(1, input.item(line));
    try (ResultSet row = item.executeQuery()) {
      if (!row.next()) {
        return false;
      }
      row.getString(2);
      row.getString(3);
      priceCents[line] = Money.cents(row.getBigDecimal(1));
      return true;
    }
  }

  private void readStock(OrderInput input, int line) throws SQLException {
    PreparedStatement statement = stockOfDistrict[input.district()];
    statement.setInt(1, input.supplier(line));
    statement.setInt(2, input.item(line));
    try (ResultSet row = statement.executeQuery()) {
      JdbcSession.single(row, "stock");
      stock[line] = row.getInt(1);
      row.getString(2);
      districtText[line] = row.getString(3);
    }
  }
}
