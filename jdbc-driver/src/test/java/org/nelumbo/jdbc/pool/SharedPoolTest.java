package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.layout.SuperblockLayout;

/** Pools in shared files, through JDBC. */
@Timeout(120)
class SharedPoolTest {
  @TempDir private Path directory;

  private String url(String name) {
    return "jdbc:nelumbo:shm:" + directory.resolve(name) + "?memory=64m";
  }

  @Test
  void shouldKeepSchemaAndDataAcrossShutdown() throws Exception {
    try (Connection connection = DriverManager.getConnection(url("left"))) {
      run(
          connection,
          "CREATE SCHEMA s",
          "CREATE TABLE s.t (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v VARCHAR(20))",
          "CREATE UNIQUE INDEX by_v ON s.t (v)",
          "INSERT INTO s.t (v) VALUES ('a'), ('b'), ('c')",
          "UPDATE s.t SET v = 'B' WHERE v = 'b'",
          "DELETE FROM s.t WHERE v = 'c'",
          "SHUTDOWN");
    }
    try (Connection connection = DriverManager.getConnection(url("left"))) {
      assertEquals(2, number(connection, "SELECT COUNT(*) FROM s.t"));
      assertEquals(1, number(connection, "SELECT COUNT(*) FROM s.t WHERE v = 'B'"));
      SQLException e =
          assertThrows(
              SQLException.class, () -> run(connection, "INSERT INTO s.t (v) VALUES ('a')"));
      assertEquals("23505", e.getSQLState());
      run(connection, "INSERT INTO s.t (v) VALUES ('b'), ('c')");
      assertEquals(4, number(connection, "SELECT COUNT(DISTINCT id) FROM s.t"));
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldStoreFreeMemoryInventoryAtShutdown() throws Exception {
    String[] changes = {
      "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')",
      "UPDATE t SET v = 'B' WHERE id = 2",
      "DELETE FROM t WHERE id < 3",
      "CREATE INDEX by_v ON t (v)",
      "DROP INDEX by_v",
      "DROP TABLE t",
    };
    assertEquals(0, inventory("inventory"), "a new pool");
    try (Connection connection = DriverManager.getConnection(url("inventory"))) {
      run(connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, v VARCHAR(20))", "SHUTDOWN");
    }
    for (String change : changes) {
      assertNotEquals(0, inventory("inventory"), "before " + change);
      try (Connection connection = DriverManager.getConnection(url("inventory"))) {
        assertEquals(0, inventory("inventory"), "it is good for one attach");
        run(connection, change, "SHUTDOWN");
      }
    }
    assertNotEquals(0, inventory("inventory"));
    DriverManager.getConnection(url("inventory")).close();
    assertEquals(0, inventory("inventory"), "closed, but not shut down");
  }

  @Test
  void shouldShutPoolDownCleanlyWhenProcessExits() throws Exception {
    assertEquals(0, EndingProcess.run(url("ended"), "closed"));
    assertNotEquals(0, inventory("ended"));
    try (Connection connection = DriverManager.getConnection(url("ended"))) {
      assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
      run(connection, "DROP TABLE t", "SHUTDOWN");
    }
    assertEquals(0, EndingProcess.run(url("ended"), "open"));
    assertNotEquals(0, inventory("ended"), "what was in progress was rolled back");
    try (Connection connection = DriverManager.getConnection(url("ended"))) {
      assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
      run(connection, "SHUTDOWN");
    }
  }

  /**
   * Reads a word of the superblock in another process, because closing the file in this one would
   * release its lock.
   */
  private long inventory(String name) throws Exception {
    String offset = Integer.toString(SuperblockLayout.FREE_SPACE_MAP_OFFSET);
    Process process =
        new ProcessBuilder(
                "od", "-An", "-td8", "-j", offset, "-N", "8", directory.resolve(name).toString())
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return text.isBlank() ? 0 : Long.parseLong(text.strip());
  }

  @Test
  void shouldBeOnePoolForAllConnectionsOfAProcess() throws Exception {
    Files.createDirectory(directory.resolve("x"));
    try (Connection one = DriverManager.getConnection(url("shared"));
        Connection other = DriverManager.getConnection(url("x/../shared"))) {
      run(one, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1)");
      assertEquals(1, number(other, "SELECT COUNT(*) FROM t"));
      run(one, "SHUTDOWN");
    }
  }

  @Test
  void shouldSpreadAPoolOverNodes() throws Exception {
    String url = url("nodes") + "&nodes=3";
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1)");
      run(connection, "SHUTDOWN");
    }
    assertTrue(Files.exists(directory.resolve("nodes/node-2")));
    try (Connection connection = DriverManager.getConnection(url("nodes"))) {
      assertEquals(1, number(connection, "SELECT COUNT(*) FROM t"));
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldReportReasonIfPoolCannotBeOpened() throws Exception {
    Files.writeString(directory.resolve("text"), "no pool");
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url("text")));
    assertEquals("08001", e.getSQLState());
    assertTrue(e.getMessage().contains("not a Nelumbo memory pool"), e.getMessage());
    e = assertThrows(SQLException.class, () -> DriverManager.getConnection(url("nowhere/at/all")));
    assertTrue(e.getMessage().contains("there is no directory"), e.getMessage());
    DriverManager.getConnection(url("size")).createStatement().execute("SHUTDOWN");
    e =
        assertThrows(
            SQLException.class,
            () ->
                DriverManager.getConnection(
                    "jdbc:nelumbo:shm:" + directory.resolve("size") + "?memory=65m"));
    assertTrue(e.getMessage().contains("omit memory="), e.getMessage());
  }

  @Test
  void shouldReportTruncatedFileAndReleaseIt() throws Exception {
    Path file = directory.resolve("cut");
    try (Connection connection = DriverManager.getConnection(url("cut"));
        Connection other = DriverManager.getConnection(url("cut"))) {
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1)");
      // Another process truncates the file: closing it in this one would release its lock.
      Process cut = new ProcessBuilder("truncate", "-s", "4096", file.toString()).start();
      assertEquals(0, cut.waitFor());
      SQLException e =
          assertThrows(SQLException.class, () -> number(connection, "SELECT COUNT(*) FROM t"));
      assertEquals("58030", e.getSQLState(), e.toString());
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
      e = assertThrows(SQLException.class, () -> number(other, "SELECT COUNT(*) FROM t"));
      assertEquals("57P01", e.getSQLState(), e.toString());
    }
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url("cut")));
    assertTrue(e.getMessage().contains("truncated"), e.getMessage());
  }

  @Test
  void shouldLoseNoAcknowledgedCommitWhenProcessesAreKilled() throws Exception {
    CrashRounds crashes = new CrashRounds(url("bank"), 1);
    crashes.create();
    for (int round = 0; round < 2; round++) {
      crashes.round();
    }
  }
}
