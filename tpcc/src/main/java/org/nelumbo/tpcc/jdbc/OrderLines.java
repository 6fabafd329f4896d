package org.nelumbo.tpcc.jdbc;

import java.sql.SQLException;
import org.nelumbo.tpcc.terminal.OrderInput;

/**
 * The lines of a New-Order, as far as it has to know them before it enters them: price of the item,
 * quantity in stock, the district's text. The rows of stock are locked for what follows, in the
 * order of the lines.
 */
abstract class OrderLines {
  /** Up to this line there is an item for each. */
  int found;

  final long[] priceCents = new long[OrderInput.LINES_MAX];
  final int[] stock = new int[OrderInput.LINES_MAX];
  final String[] districtText = new String[OrderInput.LINES_MAX];

  /** Reads the lines of an order, up to the first one whose item nobody has. */
  abstract void read(OrderInput input) throws SQLException;

  /** The column of stock that belongs to a district, 1 to 10. */
  static String districtColumn(int district) {
    return "s_dist_" + (district < 10 ? "0" : "") + district;
  }
}
