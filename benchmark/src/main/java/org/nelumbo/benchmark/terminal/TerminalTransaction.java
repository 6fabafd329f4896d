package org.nelumbo.benchmark.terminal;

import java.sql.SQLException;
import org.nelumbo.benchmark.run.Outcome;

/** One transaction type of a terminal: its inputs, and what it does with them. */
public interface TerminalTransaction {
  /** Draws the inputs. */
  void draw();

  /** Runs with the inputs drawn last; called again with them after a conflict. */
  Outcome execute() throws SQLException;
}
