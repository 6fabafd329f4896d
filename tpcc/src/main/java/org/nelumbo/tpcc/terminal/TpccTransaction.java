package org.nelumbo.tpcc.terminal;

import java.sql.SQLException;
import org.nelumbo.benchmark.run.Outcome;

/** One of the five transactions of a terminal. */
public interface TpccTransaction {
  /** Draws the inputs. */
  void draw();

  /** Runs with the inputs drawn last; may be called again after a conflict. */
  Outcome execute() throws SQLException;
}
