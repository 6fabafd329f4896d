package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;
import static org.nelumbo.jdbc.Statements.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;

/** Databases in the files of a directory. */
@Timeout(120)
class FileDatabaseTest {
  @TempDir private Path directory;

  private String url(String name) {
    return "jdbc:nelumbo:file:" + directory.resolve(name) + "?memory=64m";
  }

  @Test
  void shouldOpenWhereItStood() throws Exception {
    try (Connection connection = DriverManager.getConnection(url("shop"))) {
      run(
          connection,
          "CREATE SCHEMA s",
          "CREATE TABLE s.t (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v VARCHAR(20))",
          "CREATE UNIQUE INDEX by_v ON s.t (v)",
          "CREATE TABLE gone (id INT PRIMARY KEY)",
          "INSERT INTO gone VALUES (1), (2)",
          "CREATE TABLE emptied (id INT PRIMARY KEY, w INT)",
          "INSERT INTO emptied VALUES (1, 1), (2, 2)",
          "CREATE TABLE bare (v INT)",
          "INSERT INTO bare VALUES (1), (1), (2)",
          "CREATE SEQUENCE numbers START WITH 5",
          "CREATE VIEW later AS SELECT v FROM s.t WHERE v > 'a'",
          "INSERT INTO s.t (v) VALUES ('a'), ('b'), ('c')",
          "UPDATE s.t SET v = 'B' WHERE v = 'b'",
          "DELETE FROM s.t WHERE v = 'c'",
          "DROP TABLE gone",
          "TRUNCATE TABLE emptied",
          "INSERT INTO emptied VALUES (3, 3)",
          "ALTER TABLE emptied ADD COLUMN x INT DEFAULT 9",
          "COMMENT ON TABLE bare IS 'no key'");
      assertEquals(5, number(connection, "SELECT NEXT VALUE FOR numbers"));
      run(connection, "SHUTDOWN");
    }
    for (int i = 0; i < 2; i++) {
      try (Connection connection = DriverManager.getConnection(url("shop"))) {
        assertEquals(2 + 2 * i, number(connection, "SELECT COUNT(*) FROM s.t"));
        assertEquals(1, number(connection, "SELECT COUNT(*) FROM s.t WHERE v = 'B'"));
        assertEquals(3, number(connection, "SELECT COUNT(*) FROM bare"));
        assertEquals(9, number(connection, "SELECT x FROM emptied WHERE w = 3"));
        assertEquals(1, number(connection, "SELECT COUNT(*) FROM emptied"));
        assertTrue(number(connection, "SELECT NEXT VALUE FOR numbers") > 5);
        SQLException twice =
            assertThrows(
                SQLException.class, () -> run(connection, "INSERT INTO s.t (v) VALUES ('a')"));
        assertEquals("23505", twice.getSQLState());
        SQLException dropped =
            assertThrows(SQLException.class, () -> run(connection, "SELECT * FROM gone"));
        assertEquals("42S02", dropped.getSQLState());
        run(
            connection,
            "INSERT INTO s.t (v) VALUES ('x" + i + "'), ('y" + i + "')",
            "CREATE TABLE gone (id INT PRIMARY KEY)");
        assertEquals(0, number(connection, "SELECT COUNT(*) FROM gone"));
        assertEquals(
            number(connection, "SELECT COUNT(*) FROM s.t"),
            number(connection, "SELECT COUNT(DISTINCT id) FROM s.t"));
        run(connection, "DROP TABLE gone", "SHUTDOWN");
      }
    }
  }

  @Test
  void shouldKeepAcknowledgedCommitsWhenProcessIsKilled() throws Exception {
    CrashRounds rounds = new CrashRounds(url("bank"), 1);
    rounds.create();
    rounds.round(150);
  }

  @Test
  void shouldRecoverFromCheckpoints() {
    DatabaseOptions options = DatabaseOptions.defaults().withMemoryBytes(64L << 20);
    Path place = directory.resolve("checkpoints");
    String row = ", REPEAT('x', 1000))";
    for (int i = 0; i < 3; i++) {
      LocalDatabase database = DatabaseOpener.openFile(options, place);
      try (Session session = database.connect(SessionOptions.defaults())) {
        if (i == 0) {
          execute(session, "CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(1000))");
          execute(session, "CREATE TABLE u (a INT PRIMARY KEY) WITH (ordered = false)");
        }
        execute(session, "INSERT INTO u VALUES (" + i + ")");
        session.setAutoCommit(false);
        for (int a = 0; a < 1500; a++) { // more than one frame
          execute(session, "INSERT INTO t VALUES (" + (10_000 * i + a) + row);
        }
        session.commit();
        session.setAutoCommit(true);
        execute(session, "DELETE FROM t WHERE a = " + (10_000 * i));
        assertTrue(database.checkpoint());
        execute(session, "DELETE FROM t WHERE a = " + (10_000 * i + 1));
        assertEquals(1498 * (i + 1), count(session, "t"));
        assertEquals(i + 1, count(session, "u"));
      }
      database.close();
    }
    assertEquals(1, names(place).filter(name -> name.startsWith("checkpoint-")).count());
  }

  private static Stream<String> names(Path place) {
    return Stream.of(place.toFile().list());
  }

  private static void execute(Session session, String sql) {
    try (var execution = session.newExecution(session.prepare(sql))) {
      execution.executeUpdate();
    }
  }

  private static long count(Session session, String table) {
    try (var query = session.newExecution(session.prepare("SELECT COUNT(*) FROM " + table))) {
      query.executeQuery();
      query.next();
      return query.longAt(0);
    }
  }

  @Test
  void shouldAllowOneOwnerAndRecordItInLockFile() throws Exception {
    Path place = directory.resolve("owned");
    try (Connection connection = DriverManager.getConnection(url("owned"))) {
      NelumboException taken =
          assertThrows(
              NelumboException.class,
              () -> DatabaseOpener.openFile(DatabaseOptions.defaults(), place));
      assertTrue(taken.getMessage().contains("in this process already"), taken.getMessage());
      String owner = Files.readString(place.resolve("LOCK"));
      assertTrue(owner.contains("process " + ProcessHandle.current().pid()), owner);
      for (String name : names(place).toList()) {
        assertEquals(
            "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(place.resolve(name))),
            name);
      }
      run(connection, "SHUTDOWN");
    }
    DatabaseOpener.openFile(DatabaseOptions.defaults(), place).close();
  }

  @Test
  void shouldStopCleanlyWhenTheDiskIsFull() throws Exception {
    try (SmallFileSystem disk = SmallFileSystem.mount(directory.resolve("small"), 60)) {
      assumeTrue(disk != null, "only the superuser mounts file systems");
      String url = "jdbc:nelumbo:file:" + disk.path("db") + "?memory=128m";
      int acknowledged = 0;
      try (Connection connection = DriverManager.getConnection(url)) {
        run(connection, "CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(3000))");
        disk.fill(20L << 20);
        while (acknowledged < 20_000) {
          run(connection, "INSERT INTO t VALUES (" + acknowledged + ", REPEAT('x', 3000))");
          acknowledged++;
        }
        throw new AssertionError("the disk is never full");
      } catch (SQLException full) {
        assertTrue(List.of("08007", "08006").contains(full.getSQLState()), full.toString());
        assertTrue(full.getMessage().contains("No space"), full.getMessage());
      }
      assertTrue(acknowledged > 0);
      disk.makeRoom();
      try (Connection connection = DriverManager.getConnection(url)) {
        long found = number(connection, "SELECT COUNT(*) FROM t");
        assertTrue(found == acknowledged || found == acknowledged + 1, found + " rows");
        run(connection, "INSERT INTO t VALUES (-1, 'y')", "SHUTDOWN");
      }
    }
  }

  @Test
  void shouldLeaveNoPartialBackupWhenDiskIsFull() throws Exception {
    try (SmallFileSystem disk = SmallFileSystem.mount(directory.resolve("small"), 1);
        Connection connection = DriverManager.getConnection(url("large"))) {
      assumeTrue(disk != null, "only the superuser mounts file systems");
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(30000))");
      connection.setAutoCommit(false);
      for (int a = 0; a < 100; a++) {
        run(connection, "INSERT INTO t VALUES (" + a + ", REPEAT('x', 30000))");
      }
      connection.commit();
      String backup = "BACKUP TO '" + disk.path("backups") + "'";
      SQLException full = assertThrows(SQLException.class, () -> run(connection, backup));
      assertEquals("53100", full.getSQLState(), full.toString());
      assertEquals(List.of("LOCK"), names(disk.path("backups")).toList());
      run(connection, "DELETE FROM t WHERE a > 10", backup);
      connection.commit();
      assertEquals(2, names(disk.path("backups")).count());
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldOpenADirectoryByAnyOfItsNames() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    try (Connection connection = DriverManager.getConnection(url("one"));
        Connection other =
            DriverManager.getConnection("jdbc:nelumbo:file:" + link.resolve("one"))) {
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      run(other, "INSERT INTO t VALUES (1)", "SHUTDOWN");
    }
  }

  @Test
  void shouldSetDurabilityOfUrl() throws Exception {
    for (String how : List.of("commit", "interval=5ms", "none")) {
      String name = how.substring(0, 4);
      try (Connection connection = DriverManager.getConnection(url(name) + "&durability=" + how)) {
        assertEquals(how.replace("=5ms", ""), text(connection, "SHOW durability"));
        run(connection, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)");
        assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "SHUTDOWN");
      }
      try (Connection connection = DriverManager.getConnection(url(name))) {
        assertEquals("commit", text(connection, "SHOW durability"));
        assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "SHUTDOWN");
      }
    }
    for (String bad : List.of("file:x?durability=often", "mem:x?durability=commit")) {
      SQLException e =
          assertThrows(
              SQLException.class, () -> DriverManager.getConnection("jdbc:nelumbo:" + bad));
      assertEquals("08001", e.getSQLState());
      assertTrue(e.getMessage().contains("durability"), e.getMessage());
    }
  }

  @Test
  void shouldRejectDirectoryWithForeignFiles() throws Exception {
    Files.createDirectory(directory.resolve("home"));
    Files.writeString(directory.resolve("home").resolve("letter.txt"), "dear");
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url("home")));
    assertTrue(e.getMessage().contains("letter.txt"), e.getMessage());
    e =
        assertThrows(
            SQLException.class, () -> DriverManager.getConnection(url("none") + "&create=false"));
    assertEquals("08001", e.getSQLState());
    assertFalse(Files.exists(directory.resolve("none")));
  }
}
