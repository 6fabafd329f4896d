package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.database.durable.DirectoryCheck;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.Secrets;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.error.NelumboException;

/** BACKUP and RESTORE. */
@Timeout(120)
class BackupTest {
  private static final List<String> TABLES =
      List.of("s.parent", "child", "bare", "heap", "tree", "later");

  @TempDir private Path place;

  private final DatabaseOptions options = DatabaseOptions.defaults().withMemoryBytes(64L << 20);

  private Path backups() {
    return place.resolve("backups");
  }

  private void backUp(Sql sql, String words) {
    sql.run("BACKUP TO '" + backups() + "'" + words);
  }

  private void restore(Sql sql) {
    sql.run("RESTORE FROM '" + backups() + "'");
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(backups())) {
      return files.filter(file -> !file.endsWith("LOCK")).sorted().toList();
    }
  }

  private static Sql shop(Database database) {
    return new Sql(database)
        .run(
            "CREATE SCHEMA s",
            "CREATE TABLE s.parent (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                + " v VARCHAR(20) UNIQUE)",
            "CREATE TABLE child (id INT PRIMARY KEY, p BIGINT REFERENCES s.parent (id))",
            "CREATE INDEX by_p ON child (p)",
            "CREATE TABLE bare (v INT)",
            "CREATE TABLE heap (a INT PRIMARY KEY, v INT) WITH (ordered = false)",
            "CREATE TABLE tree (a INT PRIMARY KEY, v INT) WITH (hash = false)",
            "CREATE TABLE gone (a INT PRIMARY KEY)",
            "CREATE SEQUENCE numbers START WITH 5",
            "CREATE VIEW big AS SELECT v FROM s.parent WHERE v > 'b'",
            "COMMENT ON TABLE bare IS 'no key'",
            "INSERT INTO gone VALUES (1)",
            "DROP TABLE gone",
            "INSERT INTO s.parent (v) VALUES ('a'), ('b'), ('c')",
            "INSERT INTO child SELECT id, id FROM s.parent",
            "INSERT INTO bare VALUES (1), (1), (2)",
            "INSERT INTO heap VALUES (1, 1), (2, 2)",
            "INSERT INTO tree VALUES (1, 1), (2, 2)");
  }

  private static List<String> content(Sql sql) {
    List<String> content = new ArrayList<>();
    for (String table : TABLES) {
      content.add(table);
      content.addAll(sql.query("SELECT * FROM " + table).stream().sorted().toList());
    }
    content.addAll(sql.query("SELECT v FROM big ORDER BY v"));
    content.addAll(
        sql.query(
            "SELECT table_name FROM SYS.MEMORY WHERE kind = 'HASH INDEX' ORDER BY table_name"));
    return content;
  }

  private static void assertWorks(Sql sql) {
    assertEquals(
        "23505",
        assertThrows(NelumboException.class, () -> sql.run("INSERT INTO s.parent (v) VALUES ('a')"))
            .sqlState());
    assertEquals(
        "23503",
        assertThrows(NelumboException.class, () -> sql.run("INSERT INTO child VALUES (99, 99)"))
            .sqlState());
    sql.run("INSERT INTO s.parent (v) VALUES ('new')");
    assertEquals(List.of("2"), sql.query("SELECT COUNT(*) FROM child WHERE p = 1"));
    assertEquals(
        sql.query("SELECT COUNT(*) FROM s.parent"),
        sql.query("SELECT COUNT(DISTINCT id) FROM s.parent"));
    assertTrue(Long.parseLong(sql.query("VALUES (NEXT VALUE FOR numbers)").get(0)) > 5);
    sql.run("CREATE TABLE another (a INT PRIMARY KEY)", "INSERT INTO another VALUES (1)");
  }

  private DatabaseOptions archived(Path archive) {
    RedoOptions redo =
        RedoOptions.DEFAULT
            .withSegmentBytes(1 << 16)
            .withArchive(() -> DirectoryDisk.openAnywhere(archive, "a test"));
    return options.withRedo(redo);
  }

  /** Returns the current time as text for RESTORE; later commits have later timestamps. */
  private static String now(Sql sql) {
    sql.run("UPDATE tick SET n = n + 1"); // a timestamp in between
    return sql.query("SELECT TO_CHAR(CURRENT_TIMESTAMP, 'YYYY-MM-DD HH24:MI:SS.US') FROM tick")
            .get(0)
        + "Z";
  }

  @Test
  void shouldRestoreAnyMomentFromTheLog() throws IOException {
    Path directory = place.resolve("files");
    Path archive = place.resolve("archive");
    List<String> moments = new ArrayList<>();
    List<List<String>> contents = new ArrayList<>();
    try (Database database = DatabaseOpener.openFile(archived(archive), directory);
        Sql sql = shop(database)) {
      sql.run("CREATE TABLE tick (n INT)", "INSERT INTO tick VALUES (0)");
      sql.run("CREATE TABLE later (a INT PRIMARY KEY, b VARCHAR(10))");
      backUp(sql, "");
      for (int i = 0; i < 6; i++) {
        sql.run(
            "UPDATE s.parent SET v = v || '" + i + "' WHERE id = 3",
            "DELETE FROM later",
            "INSERT INTO later VALUES (" + i + ", 'x')",
            i == 2 ? "TRUNCATE TABLE bare" : "INSERT INTO bare SELECT 7 FROM bare",
            "UPDATE heap SET v = v + 1",
            "ALTER TABLE child ADD COLUMN c" + i + " INT DEFAULT " + i,
            "CREATE TABLE new" + i + " (a INT PRIMARY KEY)",
            "INSERT INTO new" + i + " VALUES (" + i + ")");
        contents.add(content(sql));
        moments.add(now(sql));
      }
      sql.run("DROP TABLE new1", "DELETE FROM s.parent WHERE id > 3", "DROP VIEW big");
    }
    for (int i = 0; i < 6; i++) {
      try (Database database = DatabaseOpener.openMemory(options);
          Sql sql = new Sql(database)) {
        sql.run(
            "RESTORE FROM '%s' LOG '%s', '%s' UNTIL '%s'"
                .formatted(backups(), directory, archive, moments.get(i)));
        assertEquals(contents.get(i), content(sql));
        assertEquals(List.of("" + i), sql.query("SELECT a FROM new" + i));
        String missing = "SELECT a FROM new" + (i + 1);
        assertThrows(NelumboException.class, () -> sql.query(missing));
        sql.run("INSERT INTO s.parent (v) VALUES ('new')", "DROP TABLE new" + i);
        assertThrows(
            NelumboException.class, () -> sql.run("INSERT INTO s.parent (v) VALUES ('new')"));
      }
    }
  }

  private static String stateOf(Sql sql, String statement) {
    return assertThrows(NelumboException.class, () -> sql.run(statement)).sqlState();
  }

  @Test
  void shouldRejectLogThatDoesNotMatchBackup() throws IOException {
    Path directory = place.resolve("files");
    Path archive = place.resolve("archive");
    try (Database database = DatabaseOpener.openFile(archived(archive), directory);
        Sql sql = shop(database)) {
      backUp(sql, "");
      sql.run("INSERT INTO bare SELECT v FROM bare", "DELETE FROM heap");
    }
    try (Database database = DatabaseOpener.openFile(options, place.resolve("other"));
        Sql sql = shop(database)) {
      sql.run("DELETE FROM heap");
    }
    String from = "RESTORE FROM '" + backups() + "' LOG '";
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      assertEquals("22023", stateOf(sql, from + place.resolve("other") + "'"));
      assertEquals("22023", stateOf(sql, from + place.resolve("nowhere") + "'"));
      assertEquals("22023", stateOf(sql, from + place + "'"));
      assertEquals("22023", stateOf(sql, from + directory + "' UNTIL '2020-01-01 00:00:00Z'"));
      assertEquals("22007", stateOf(sql, from + directory + "' UNTIL '2030-01-01 00:00:00'"));
      sql.run(from + directory + "' UNTIL '2100-01-01 00:00:00+02'");
      assertEquals(List.of(), sql.query("SELECT * FROM heap"));
    }
  }

  @Test
  void shouldRestoreStateOfLastBackup() throws IOException {
    List<String> content;
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = shop(database)) {
      sql.query("VALUES (NEXT VALUE FOR numbers)");
      sql.run("UPDATE heap SET v = 3 WHERE a = 1");
      backUp(sql, "");
      sql.run(
          "UPDATE s.parent SET v = 'C' WHERE v = 'c'",
          "DELETE FROM child WHERE id = 2",
          "INSERT INTO child VALUES (20, 2), (0, 1)",
          "DELETE FROM heap WHERE a = 2",
          "INSERT INTO heap VALUES (7, 7)",
          "TRUNCATE TABLE bare",
          "INSERT INTO bare VALUES (8)",
          "CREATE TABLE later (a INT PRIMARY KEY, b VARCHAR(10))",
          "INSERT INTO later VALUES (1, 'x'), (2, NULL)");
      backUp(sql, "");
      sql.run("DELETE FROM later WHERE a = 1", "INSERT INTO child VALUES (2, 3)");
      backUp(sql, "");
      content = content(sql);
      sql.run("DELETE FROM later");
    }
    assertEquals(3, files().size());
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      restore(sql);
      assertEquals(content, content(sql));
      assertWorks(sql);
    }
    Path directory = place.resolve("files");
    try (Database database = DatabaseOpener.openFile(options, directory);
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE before (a INT PRIMARY KEY)", "INSERT INTO before VALUES (1)");
      sql.run("DROP TABLE before"); // its rows are in the log
      restore(sql);
    }
    try (Database database = DatabaseOpener.openFile(options, directory);
        Sql sql = new Sql(database)) {
      assertEquals(content, content(sql));
      assertWorks(sql);
      assertEquals(
          "22023",
          assertThrows(NelumboException.class, () -> backUp(sql, "")).sqlState(),
          "another database");
      backUp(sql, " FULL");
    }
    assertEquals(4, files().size());
  }

  @Test
  void shouldWriteOnlyChangesToIncrementalBackup() throws IOException {
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(1000))");
      sql.session().setAutoCommit(false);
      for (int a = 0; a < 2000; a++) {
        sql.update("INSERT INTO t VALUES (?, REPEAT('x', 900))", a);
      }
      sql.run("COMMIT");
      sql.session().setAutoCommit(true);
      backUp(sql, "");
      sql.run("UPDATE t SET v = 'y' WHERE a = 77", "DELETE FROM t WHERE a > 1990");
      backUp(sql, "");
      assertTrue(Files.size(files().get(0)) > 1_800_000);
      assertTrue(Files.size(files().get(1)) < 20_000);
    }
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      restore(sql);
      assertEquals(
          List.of("1991 1"),
          sql.query("SELECT COUNT(*), SUM(CASE v WHEN 'y' THEN 1 ELSE 0 END) FROM t"));
    }
  }

  @Test
  void shouldReadManyLargeRowsTogether() {
    String sum = "SELECT COUNT(*), SUM(CHAR_LENGTH(v)) FROM t";
    try (LocalDatabase database = DatabaseOpener.openFile(options, place.resolve("large"));
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(30000))");
      for (int a = 0; a < 100; a++) {
        sql.update("INSERT INTO t VALUES (?, REPEAT('x', 30000))", a);
      }
      assertEquals(List.of("100 3000000"), sql.query(sum));
      assertTrue(database.checkpoint());
      backUp(sql, "");
    }
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      restore(sql);
      assertEquals(List.of("100 3000000"), sql.query(sum));
    }
  }

  @Test
  void shouldBackUpOneStateWhileItChanges() throws Exception {
    ExecutorService clients = Executors.newCachedThreadPool();
    AtomicBoolean isOver = new AtomicBoolean();
    try (Database database = DatabaseOpener.openFile(options, place.resolve("bank"));
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE account (id INT PRIMARY KEY, balance INT NOT NULL)");
      for (int id = 0; id < 200; id++) {
        sql.update("INSERT INTO account VALUES (?, 100)", id);
      }
      List<Future<?>> transfers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Random random = new Random(i);
        transfers.add(clients.submit(() -> transfer(database, random, isOver)));
      }
      for (int i = 0; i < 4; i++) {
        backUp(sql, "");
        try (Database copy = DatabaseOpener.openMemory(options);
            Sql reader = new Sql(copy)) {
          restore(reader);
          assertEquals(
              List.of("200 20000"), reader.query("SELECT COUNT(*), SUM(balance) FROM account"));
        }
      }
      isOver.set(true);
      for (Future<?> each : transfers) {
        each.get();
      }
    } finally {
      isOver.set(true);
      clients.shutdownNow();
    }
  }

  /** Moves money between accounts, some of which are created and deleted. */
  private static void transfer(Database database, Random random, AtomicBoolean isOver) {
    try (Sql sql = Sql.transactions(database)) {
      while (!isOver.get()) {
        try {
          int from = random.nextInt(200);
          int to = random.nextInt(200);
          sql.update("UPDATE account SET balance = balance - 1 WHERE id = ?", from);
          sql.update("UPDATE account SET balance = balance + 1 WHERE id = ?", to);
          sql.run("COMMIT");
        } catch (NelumboException e) {
          assertEquals("40001", e.sqlState());
          sql.run("ROLLBACK");
        }
      }
    }
  }

  @Test
  void shouldRestoreIntoMemoryNodes() throws IOException {
    List<String> content;
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = shop(database)) {
      sql.run("CREATE TABLE later (a INT PRIMARY KEY)");
      backUp(sql, "");
      content = content(sql);
    }
    List<MemoryNode> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        MemoryNode node =
            new MemoryNode(
                new SystemEnvironment(),
                LocalMemory.reserve(32 << 20),
                new NodeAddress("127.0.0.1", 0),
                MemoryNode.Options.DEFAULT);
        node.start();
        nodes.add(node);
      }
      List<String> addresses = nodes.stream().map(node -> node.address().toString()).toList();
      for (boolean isRestored : new boolean[] {false, true}) {
        try (Database database =
                DatabaseOpener.openRemote(
                    options, addresses, Secrets.NONE, null, null, 2, List.of());
            Sql sql = new Sql(database)) {
          if (!isRestored) {
            restore(sql);
          }
          assertEquals(content, content(sql));
        }
      }
    } finally {
      nodes.forEach(MemoryNode::close);
    }
  }

  private String stateOfRestore() {
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      String state = assertThrows(NelumboException.class, () -> restore(sql)).sqlState();
      assertEquals(
          List.of(),
          sql.query(
              "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'PUBLIC'"));
      sql.run("CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1)");
      return state;
    }
  }

  @Test
  void shouldRejectIncompleteOrDamagedBackups() throws IOException {
    assertEquals("22023", stateOfRestore(), "there is no directory");
    Files.createDirectory(backups());
    assertEquals("22023", stateOfRestore(), "there is nothing in it");
    Files.writeString(backups().resolve("letter.txt"), "dear");
    assertEquals("22023", stateOfRestore());
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = shop(database)) {
      assertEquals("22023", assertThrows(NelumboException.class, () -> backUp(sql, "")).sqlState());
      Files.delete(backups().resolve("letter.txt"));
      Files.write(backups().resolve("backup.new"), new byte[10_000]);
      backUp(sql, "");
      assertFalse(Files.exists(backups().resolve("backup.new")));
      sql.run("INSERT INTO bare VALUES (9)");
      backUp(sql, "");
      assertEquals("42S01", assertThrows(NelumboException.class, () -> restore(sql)).sqlState());
    }
    Path first = files().get(0);
    Path second = files().get(1);
    for (Path file : files()) {
      byte[] whole = Files.readAllBytes(file);
      for (int at : new int[] {30, 4100, 4160}) {
        byte[] flipped = whole.clone();
        flipped[at] ^= 4;
        Files.write(file, flipped);
        assertEquals("XX001", stateOfRestore(), file + " at=" + at);
      }
      Files.write(file, whole);
    }
    byte[] whole = Files.readAllBytes(second);
    Files.write(second, Arrays.copyOf(whole, whole.length - 48));
    assertEquals("XX001", stateOfRestore(), "its last frame is missing");
    Files.write(second, whole);
    byte[] base = Files.readAllBytes(first);
    Files.delete(first);
    assertEquals("XX001", stateOfRestore(), "what it depends on is missing");
    Files.write(first, base);
    Files.write(first, Files.readAllBytes(second));
    assertEquals("XX001", stateOfRestore());
    Files.write(first, base);
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      restore(sql);
      assertEquals(List.of("4"), sql.query("SELECT COUNT(*) FROM bare"));
    }
  }

  private static DirectoryCheck check(Path directory) throws IOException {
    try (Disk disk = DirectoryDisk.open(directory, "test")) {
      return DirectoryCheck.of(disk);
    }
  }

  @Test
  void shouldDetectDamagedFilesWithoutOpeningDatabase() throws IOException {
    Path directory = place.resolve("checked");
    try (LocalDatabase database = DatabaseOpener.openFile(options, directory);
        Sql sql = shop(database)) {
      backUp(sql, "");
      sql.run("INSERT INTO bare VALUES (9)");
      backUp(sql, "");
      database.checkpoint();
      sql.run("INSERT INTO bare VALUES (10)");
    }
    DirectoryCheck sound = check(directory);
    assertEquals(List.of(), sound.damage());
    assertTrue(sound.lines().contains("table S.PARENT images=3"), sound.lines().toString());
    assertEquals(7, check(backups()).lines().size(), check(backups()).lines().toString());
    List<Path> all = new ArrayList<>(files());
    try (Stream<Path> files = Files.list(directory)) {
      files.filter(file -> !file.endsWith("LOCK")).forEach(all::add);
    }
    for (Path file : all) {
      byte[] whole = Files.readAllBytes(file);
      byte[] flipped = whole.clone();
      flipped[20] ^= 1;
      Files.write(file, flipped);
      boolean isUsed = !file.getFileName().toString().equals("redo-0000000000000001");
      assertEquals(isUsed, !check(file.getParent()).damage().isEmpty(), file.toString());
      Files.write(file, whole);
    }
    assertThrows(PoolOpenException.class, () -> check(place.resolve("empty")));
  }

  @Test
  void shouldLeaveDatabaseEmptyIfBackupDoesNotFit() {
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(1000))");
      sql.session().setAutoCommit(false);
      for (int a = 0; a < 8_000; a++) {
        sql.update("INSERT INTO t VALUES (?, REPEAT('x', 900))", a);
      }
      sql.run("COMMIT");
      backUp(sql, "");
    }
    try (Database small = DatabaseOpener.openMemory(options.withMemoryBytes(8 << 20));
        Sql sql = new Sql(small)) {
      assertEquals("53200", assertThrows(NelumboException.class, () -> restore(sql)).sqlState());
      sql.run("CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(1000))");
      for (int a = 0; a < 500; a++) {
        sql.update("INSERT INTO t VALUES (?, REPEAT('x', 900))", a);
      }
    }
  }
}
