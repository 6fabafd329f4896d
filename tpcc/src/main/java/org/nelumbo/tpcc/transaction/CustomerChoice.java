package org.nelumbo.tpcc.transaction;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.tpcc.data.LastNames;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.data.TpccRandom;

/**
 * How Payment and Order-Status choose a customer: six times in ten by last name, else by number
 * (clauses 2.5.1.2 and 2.6.1.2).
 */
final class CustomerChoice {
  private static final int BY_NAME_PERCENT = 60;

  private final PreparedStatement customersOfName;
  private final TpccRandom random;
  private final Population population;
  private int[] found = new int[16];

  private int warehouse;
  private int district;
  private int number;
  private String lastName;

  CustomerChoice(Session session, TpccRandom random, Population population) throws SQLException {
    this.customersOfName = session.prepare("customers_of_name");
    this.random = random;
    this.population = population;
  }

  void draw(int customerWarehouse, int customerDistrict) {
    warehouse = customerWarehouse;
    district = customerDistrict;
    if (random.percent(BY_NAME_PERCENT)) {
      lastName = LastNames.of(random.lastNameForRun(population.lastNameMax()));
    } else {
      lastName = null;
      number = random.customer(population.customersPerDistrict());
    }
  }

  int warehouse() {
    return warehouse;
  }

  int district() {
    return district;
  }

  /** The customer's number, looked up if the choice was by name. */
  int number() throws SQLException {
    return lastName == null ? number : middleOfName();
  }

  /** Of n customers of that name in order of their first names, the one at position ceil(n/2). */
  private int middleOfName() throws SQLException {
    customersOfName.setInt(1, warehouse);
    customersOfName.setInt(2, district);
    customersOfName.setString(3, lastName);
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
          "no customer " + lastName + " warehouse=" + warehouse + " district=" + district, "02000");
    }
    return found[(count + 1) / 2 - 1];
  }
}
