package org.nelumbo.tpcc.transaction;

import java.sql.SQLException;
import org.nelumbo.benchmark.run.Outcome;

/** One of the five transactions of a terminal. */
interface TpccTransaction {
  /** Draws the inputs. */
  void draw();

  /** Runs with the inputs drawn last; may be called again after a conflict. */
  Outcome execute() throws SQLException;
}
