package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools with copies on several memory nodes, through JDBC. */
@Timeout(180)
class ReplicatedPoolTest {
  @Test
  void shouldGoOnAndLoseNothingWhenMemoryNodesAreKilled() throws Exception {
    try (MemoryNodeRounds bank = new MemoryNodeRounds(11)) {
      bank.begin();
      bank.round();
      bank.round();
      long acknowledged = bank.acknowledged();
      assertTrue(bank.end() >= acknowledged);
    }
  }

  @Test
  void shouldKeepCopiesOnMemoryNodesOnly() {
    SQLException e =
        assertThrows(
            SQLException.class,
            () -> DriverManager.getConnection("jdbc:nelumbo:mem:?replicas=3").close());
    assertEquals("08001", e.getSQLState());
    assertTrue(e.getMessage().contains("needs memory nodes"), e.getMessage());
  }
}
