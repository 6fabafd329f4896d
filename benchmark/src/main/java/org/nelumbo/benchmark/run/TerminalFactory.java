package org.nelumbo.benchmark.run;

import java.sql.Connection;
import java.sql.SQLException;

/** Makes terminals; called by the terminals' own threads. */
public interface TerminalFactory {
  /**
   * A terminal on the given connection.
   *
   * @param index 0 to terminals - 1
   * @param incarnation 0 at first, one more each time this terminal had to connect again; inputs
   *     must differ between incarnations
   */
  Terminal open(Connection connection, int index, int incarnation) throws SQLException;

  /** Whether the benchmark allows this error for this type; it then counts as expected rollback. */
  default boolean allows(int type, SQLException error) {
    return false;
  }
}
