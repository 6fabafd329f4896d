package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.TableScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/** CHECK DATABASE and CHECK TABLE. */
@Timeout(60)
class DatabaseCheckTest {
  private final LocalDatabase database =
      DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(64L << 20));

  private final Sql sql =
      new Sql(database)
          .run(
              "CREATE TABLE p (id INT PRIMARY KEY, u VARCHAR(20) UNIQUE, n INT CHECK (n < 1000),"
                  + " twice INT GENERATED ALWAYS AS (n * 2) STORED)",
              "CREATE TABLE c (a INT, b VARCHAR(9), p INT REFERENCES p, PRIMARY KEY (a, b))"
                  + " WITH (ordered = false)",
              "CREATE INDEX by_p ON c (p)",
              "CREATE TABLE keyless (d DATE, v DECIMAL(30, 2))",
              "CREATE INDEX partial_d ON keyless (d) WHERE v > 5",
              "INSERT INTO p (id, u, n) SELECT g, 'u' || g, g FROM"
                  + " GENERATE_SERIES(1, 400) AS s (g)",
              "INSERT INTO c SELECT id, 'b', id FROM p",
              "INSERT INTO c VALUES (900, 'null', NULL)",
              "INSERT INTO keyless VALUES (DATE '2026-01-01', 12.5), (NULL, NULL)",
              "UPDATE p SET n = n + 1 WHERE id < 30",
              "DELETE FROM c WHERE a BETWEEN 5 AND 9");

  @AfterEach
  void close() {
    database.close();
  }

  private List<String> findings(String check) {
    NelumboException e = assertThrows(NelumboException.class, () -> sql.run(check));
    assertEquals("XX001", e.sqlState(), e.getMessage());
    return sql.query("SELECT table_name, object_name, row_key, problem FROM SYS.FINDINGS");
  }

  private static void assertNames(List<String> findings, String... words) {
    boolean isNamed =
        findings.stream().anyMatch(line -> List.of(words).stream().allMatch(line::contains));
    assertTrue(isNamed, findings.toString());
  }

  /** Changes the row with the given CVT. */
  private interface Change {
    Outcome run(NativeSession session, TableStore store, RowBuffer row, KeyBuffer key, long cvt);
  }

  private void change(String table, int id, Change change) {
    try (NativeSession session = database.openNative()) {
      TableStore store = session.table(table).store();
      Transaction transaction = session.transaction();
      transaction.begin(Isolation.SERIALIZABLE, false);
      TableScan scan = transaction.newTableScan();
      RowBuffer row = new RowBuffer();
      assertEquals(Outcome.OK, scan.open(store, LockMode.WRITE));
      do {
        assertEquals(Outcome.OK, scan.next(row));
      } while (store.layout().getLong(row.bytes, row.offset, 0) != id);
      KeyBuffer key = new KeyBuffer();
      store.layout().keyOf(row, key);
      assertEquals(Outcome.OK, change.run(session, store, row, key, scan.cvt()));
      scan.close();
      assertEquals(Outcome.OK, transaction.commit());
    }
  }

  private static Outcome remove(
      NativeSession session, IndexStore index, RowBuffer row, KeyBuffer key, long cvt) {
    KeyBuffer entry = key;
    if (!index.isPrimary()) {
      entry = new KeyBuffer();
      index.encoder().build(row, entry);
    }
    var coordinator = session.coordinator();
    index.tree().remove(coordinator.channel(), entry.bytes, entry.length, cvt, LeafGuard.NONE);
    return Outcome.OK;
  }

  @Test
  void shouldReportNoDefectsInIntactDatabase() {
    sql.run("CHECK DATABASE", "CHECK TABLE c", "CHECK TABLE PUBLIC.P");
    assertEquals(List.of(), sql.query("SELECT * FROM SYS.FINDINGS"));
    assertEquals(
        "42S02",
        assertThrows(NelumboException.class, () -> sql.run("CHECK TABLE none")).sqlState());
  }

  @Test
  void shouldReportRowsMissingFromIndex() {
    change(
        "P",
        77,
        (session, store, row, key, cvt) -> remove(session, store.primary(), row, key, cvt));
    change(
        "C",
        200,
        (session, store, row, key, cvt) -> remove(session, store.indexes()[0], row, key, cvt));
    List<String> found = findings("CHECK DATABASE");
    assertNames(found, "P", "primary key", "77", "not found");
    assertNames(found, "C", "BY_P", "200, b", "not found");
    assertEquals(2, found.stream().filter(line -> line.contains("not found")).count());
    sql.run("CHECK TABLE keyless");
    assertEquals(List.of(), sql.query("SELECT * FROM SYS.FINDINGS"));
  }

  @Test
  void shouldReportRowsMissingFromHashIndex() {
    change(
        "P",
        300,
        (session, store, row, key, cvt) -> {
          store.hash().remove(session.coordinator().channel(), key.lotusKey, cvt);
          return Outcome.OK;
        });
    assertNames(findings("CHECK TABLE p"), "300", "does not exist");
  }

  @Test
  void shouldNameRowsThatViolateConstraints() {
    change("P", 60, (session, store, row, key, cvt) -> session.transaction().delete(store, key));
    change(
        "P",
        61,
        (session, store, row, key, cvt) -> {
          RowBuffer broken = new RowBuffer();
          byte[] image = new byte[row.length];
          System.arraycopy(row.bytes, row.offset, image, 0, row.length);
          broken.wrap(image, 0, image.length);
          replace(store, image, 61, 6_100);
          return session.transaction().update(store, key, broken);
        });
    List<String> found = findings("CHECK DATABASE");
    assertNames(found, "C", "P_FKEY", "60, b", "refers to");
    assertNames(found, "P", "61", "CHECK");
    assertNames(found, "P", "TWICE", "61", "differs from its expression");
    assertEquals(3, found.size(), found.toString());
  }

  /** Replaces the value of column N in an image. */
  private static void replace(TableStore store, byte[] image, int from, int to) {
    for (int at = store.layout().keyLength(image, 0); at + 4 <= image.length; at++) {
      if (image[at] == from && image[at + 1] == 0 && image[at + 2] == 0 && image[at + 3] == 0) {
        image[at] = (byte) to;
        image[at + 1] = (byte) (to >> 8);
        return;
      }
    }
    throw new AssertionError("no such value");
  }

  @Test
  void shouldReportNoDefectsDuringConcurrentWrites() throws Exception {
    AtomicInteger written = new AtomicInteger(1000);
    AtomicBoolean isOver = new AtomicBoolean();
    FutureTask<Void> writer =
        new FutureTask<>(
            () -> {
              try (Sql other = new Sql(database)) {
                for (int i = 1000; !isOver.get(); i++) {
                  other.run(
                      "INSERT INTO p (id, u, n) VALUES (" + i + ", 'n" + i + "', 5)",
                      "UPDATE p SET n = n + 1, u = u || 'x' WHERE id = " + i,
                      "INSERT INTO c VALUES (" + i + ", 'x', " + i + ")",
                      "DELETE FROM c WHERE a = " + (i - 7));
                  written.set(i);
                }
              }
            },
            null);
    Thread.ofPlatform().start(writer);
    try {
      for (int i = 0; i < 20 || written.get() < 1020 && !writer.isDone(); i++) {
        sql.run("CHECK DATABASE");
        assertEquals(List.of(), sql.query("SELECT problem FROM SYS.FINDINGS"));
      }
    } finally {
      isOver.set(true);
    }
    writer.get(); // it has not failed
    String last = String.valueOf(written.get());
    assertEquals(List.of(last), sql.query("SELECT MAX(id) FROM p WHERE n = 6"));
  }
}
