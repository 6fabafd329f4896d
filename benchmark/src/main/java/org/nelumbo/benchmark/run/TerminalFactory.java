package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;

/** Creates terminals. Called by the terminals' own threads. */
public interface TerminalFactory {
  /**
   * Opens a terminal on the given connection.
   *
   * @param index 0 to terminals - 1
   * @param incarnation 0 at first, incremented each time this terminal had to reconnect; inputs
   *     must differ between incarnations
   */
  Terminal open(Connection connection, int index, int incarnation) throws SQLException;

  /**
   * Returns true if the benchmark allows this error for this type. It then counts as an expected
   * rollback.
   */
  default boolean allows(int type, SQLException error) {
    return false;
  }
}
