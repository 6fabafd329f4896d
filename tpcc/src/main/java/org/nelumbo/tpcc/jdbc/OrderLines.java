package org.nelumbo.tpcc.jdbc;

import java.sql.SQLException;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * The data of order lines that New-Order must read before it enters them: price of the item,
 * quantity in stock, and text of the district. Reading locks the rows of stock in the order of the
 * lines.
 */
abstract class OrderLines {
  /** Number of leading lines whose items exist. */
  int found;

  final long[] priceCents = new long[OrderInput.LINES_MAX];
  final int[] stock = new int[OrderInput.LINES_MAX];
  final String[] districtText = new String[OrderInput.LINES_MAX];

  /** Reads the lines of an order, up to the first one whose item does not exist. */
  abstract void read(OrderInput input) throws SQLException;

  /** Returns the column of STOCK that belongs to a district, 1 to 10. */
  static String districtColumn(int district) {
    return "s_dist_" + (district < 10 ? "0" : "") + district;
  }
}
