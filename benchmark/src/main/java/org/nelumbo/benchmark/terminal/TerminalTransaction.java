package org.nelumbo.benchmark.terminal;

import java.sql.SQLException;
import org.nelumbo.benchmark.run.Outcome;

/** One transaction type of a terminal, with its inputs. */
public interface TerminalTransaction {
  /** Draws the inputs. */
  void draw();

  /** Runs with the inputs drawn last. Called again with the same inputs after a conflict. */
  Outcome execute() throws SQLException;
}
