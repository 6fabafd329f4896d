package org.nelumbo.tpcc.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.tpcc.terminal.CustomerInput;

/** Finds the customer that a user requests (clauses 2.5.2.2 and 2.6.2.2). */
final class CustomerChoice {
  private final PreparedStatement customersOfName;
  private final CustomerInput input;
  private int[] found = new int[16];

  CustomerChoice(JdbcSession session, CustomerInput input) throws SQLException {
    this.customersOfName = session.prepare("customers_of_name");
    this.input = input;
  }

  int warehouse() {
    return input.warehouse();
  }

  int district() {
    return input.district();
  }

  /** Returns the customer's number, which is looked up if the request is by name. */
  int number() throws SQLException {
    return input.lastName() == null ? input.number() : middleOfName();
  }

  /**
   * Selects, of n customers with that name in order of their first names, the one at position
   * ceil(n/2).
   */
  private int middleOfName() throws SQLException {
    customersOfName.setInt(1, input.warehouse());
    customersOfName.setInt(2, input.district());
    customersOfName.setString(3, input.lastName());
    int count = 0;
    try (ResultSet rows = customersOfName.executeQuery()) {
      while (rows.next()) {
        if (count == found.length) {
          found = java.util.Arrays.copyOf(found, 2 * count);
        }
        found[count++] = rows.getInt(1);
      }
    }
    if (count == 0) {
      throw new SQLException(
          "no customer "
              + input.lastName()
              + " warehouse="
              + input.warehouse()
              + " district="
              + input.district(),
          "02000");
    }
    return found[CustomerInput.middle(count)];
  }
}
