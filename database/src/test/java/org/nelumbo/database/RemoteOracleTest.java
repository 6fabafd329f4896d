package org.nelumbo.database;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;

/** The oracle test on a remote fabric, where statements prefetch rows together. */
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
