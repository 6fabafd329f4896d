package org.nelumbo.database;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;

/** The oracle on a remote fabric, where what will be read is read together before. */
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
