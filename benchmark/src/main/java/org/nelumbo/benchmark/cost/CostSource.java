package org.nelumbo.benchmark.cost;

import java.sql.SQLException;

/** Tells what a terminal's session has asked of the memory pool so far. */
@FunctionalInterface
public interface CostSource {
  /** Everything since the session began. */
  Cost read() throws SQLException;
}
