package org.nelumbo.planner;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;

/** The same where round trips are dear, and what will be read is read together before. */
class RemoteOracleTest extends OracleTest {
  private final DistantMemory memory = new DistantMemory();

  @Override
  Database openDatabase() {
    return memory.attach();
  }

  @AfterEach
  @Override
  void close() throws SQLException {
    super.close();
    memory.close();
  }
}
