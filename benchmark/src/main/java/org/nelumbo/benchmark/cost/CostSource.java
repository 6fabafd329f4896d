package org.nelumbo.benchmark.cost;

import java.sql.SQLException;

/** Reads the cost that a terminal's session has caused so far. */
@FunctionalInterface
public interface CostSource {
  /** Returns the total cost since the session began. */
  Cost read() throws SQLException;
}
