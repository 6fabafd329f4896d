package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
  void shouldGoOnWithWhatIsLeftIfForced() throws Exception {
    List<MemoryNodeProcess> nodes = new ArrayList<>();
    try {
      for (int node = 0; node < 3; node++) {
        nodes.add(new MemoryNodeProcess(32 << 20));
      }
      String url =
          nodes.stream()
              .map(node -> node.address().toString())
              .collect(Collectors.joining(",", "jdbc:nelumbo://", "/shop"));
      run(url, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)", "SHUTDOWN");
      nodes.get(0).kill();
      nodes.get(1).kill();
      String said = assertRefused(url);
      assertTrue(said.contains("recover=force goes on with nodes 2"), said);
      assertTrue(said.contains("at " + nodes.get(0).address()), said);
      run(url + "?recover=force", "INSERT INTO t VALUES (3)", "DELETE FROM t WHERE a < 3");
      run(url, "INSERT INTO t VALUES (1)", "SHUTDOWN");
    } finally {
      nodes.forEach(MemoryNodeProcess::destroy);
    }
  }

  @Test
  void shouldForceNothingElse() {
    String said = assertRefused("jdbc:nelumbo:mem:?recover=force");
    assertTrue(said.contains("recover=force is for pools with copies on memory nodes"), said);
    said = assertRefused("jdbc:nelumbo:mem:?recover=please");
    assertTrue(said.contains("choose from safe, force"), said);
  }

  private static void run(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String assertRefused(String url) {
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url).close());
    assertEquals("08001", e.getSQLState());
    return e.getMessage();
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
