package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.database.Database;
import org.nelumbo.database.EmbeddedSession;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.NativeTable;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.Session;

/** The native API and SQL on one database. */
class NativeApiTest {
  private Connection connection;
  private Statement sql;
  private Database database;
  private NativeSession session;
  private Transaction transaction;
  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer row = new RowBuffer();

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m&lockTimeout=200ms");
    sql = connection.createStatement();
    sql.execute("CREATE TABLE t (a INT, b INT, c VARCHAR(10), PRIMARY KEY (a, b))");
    sql.execute("CREATE INDEX t_by_c ON t (c)");
    sql.execute("CREATE TABLE keyless (x INT NOT NULL)");
    sql.execute("CREATE TABLE heap (id INT PRIMARY KEY) WITH (ordered = false)");
    sql.execute("INSERT INTO t VALUES (1, 1, 'x'), (1, 2, 'y'), (2, 1, 'x'), (2, 2, NULL)");
    database = connection.unwrap(Database.class);
    session = database.openNative();
    transaction = session.transaction();
  }

  @AfterEach
  void close() throws SQLException {
    session.close();
    connection.close();
  }

  private long number(String query) throws SQLException {
    try (ResultSet rows = sql.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private Outcome insert(NativeTable table, int a, int b, String c) {
    RowWriter writer = table.newWriter();
    writer.begin();
    writer.setLong(table.column("a"), a);
    writer.setLong(table.column("b"), b);
    writer.setObject(table.column("c"), c);
    writer.finish(key, row);
    return transaction.insert(table.store(), key, row);
  }

  private static void sqlState(String state, NelumboException error) {
    assertEquals(state, error.sqlState(), error.getMessage());
  }

  @Test
  void shouldUnwrapDatabaseAndSession() throws SQLException {
    assertTrue(connection.isWrapperFor(Database.class) && connection.isWrapperFor(Session.class));
    assertTrue(connection.isWrapperFor(EmbeddedSession.class));
    assertSame(connection.unwrap(Session.class), connection.unwrap(EmbeddedSession.class));
    assertSame(database, session.database());
    assertFalse(connection.isWrapperFor(String.class));
    assertThrows(SQLException.class, () -> connection.unwrap(String.class));
    connection.close();
    assertThrows(SQLException.class, () -> connection.unwrap(Database.class));
  }

  @Test
  void shouldShareTablesWithSql() throws SQLException {
    NativeTable table = session.table("t");
    transaction.begin(Isolation.SERIALIZABLE, false);
    assertEquals(Outcome.OK, insert(table, 3, 1, "new"));
    assertEquals(Outcome.DUPLICATE, insert(table, 1, 1, "new"));
    transaction.commit();
    assertEquals(1, number("SELECT COUNT(*) FROM t WHERE c = 'new'"));
    sql.execute("UPDATE t SET c = 'sql' WHERE a = 3");
    transaction.begin(Isolation.SERIALIZABLE, true);
    assertEquals(Outcome.OK, transaction.get(table.store(), key(table, 3, 1), LockMode.READ, row));
    assertEquals("sql", table.layout().getString(row.bytes, row.offset, table.column("C")));
    transaction.commit();
  }

  private KeyBuffer key(NativeTable table, int a, int b) {
    key.clear();
    table.keyFormat().appendLong(key, 0, a);
    table.keyFormat().appendLong(key, 1, b);
    table.layout().finishKey(key);
    return key;
  }

  @Test
  void shouldRespectLocksOfSql() throws SQLException {
    NativeTable table = session.table("t");
    connection.setAutoCommit(false);
    sql.execute("UPDATE t SET c = 'z' WHERE a = 1 AND b = 1");
    transaction.begin(Isolation.SERIALIZABLE, false);
    Outcome status = transaction.get(table.store(), key(table, 1, 1), LockMode.READ, row);
    assertEquals(Outcome.CONFLICT, status, "at once, without waiting");
    sqlState("40001", transaction.failure(status));
    transaction.abort();
    connection.rollback();
  }

  @Test
  void shouldScanIndexesByPrefix() {
    NativeTable table = session.table("t");
    RangeScan scan = transaction.newRangeScan();
    transaction.begin(Isolation.SERIALIZABLE, true);
    key.clear();
    table.index("T_BY_C").encoder().format().appendObject(key, 0, "x");
    assertEquals(
        Outcome.OK,
        scan.openPrefix(table.index("t_by_c"), key, ScanDirection.DESCENDING, LockMode.READ, 0));
    assertEquals(Outcome.OK, scan.next(row));
    KeyBuffer found = new KeyBuffer();
    table.layout().keyOf(row, found);
    assertEquals(key(table, 2, 1).lotusKey, found.lotusKey, "backwards: the last first");
    assertEquals(Outcome.OK, scan.next(row));
    assertEquals(Outcome.NOT_FOUND, scan.next(row));
    key.clear();
    table.keyFormat().appendLong(key, 0, 1);
    scan.openPrefix(table.primary(), key, ScanDirection.ASCENDING, LockMode.READ, 0);
    assertEquals(Outcome.OK, scan.next(row));
    assertEquals(1, table.layout().getLong(row.bytes, row.offset, 1));
    assertEquals(Outcome.OK, scan.next(row));
    assertEquals(Outcome.NOT_FOUND, scan.next(row));
    transaction.commit();
  }

  @Test
  void shouldNumberRowsOfTablesWithoutKey() throws SQLException {
    NativeTable table = session.table("keyless");
    sql.execute("INSERT INTO keyless VALUES (7)");
    RowWriter writer = table.newWriter();
    int hiddenKey = table.numberedColumns()[0];
    transaction.begin(Isolation.SERIALIZABLE, false);
    for (int i = 0; i < 3; i++) {
      writer.begin();
      writer.setLong(table.column("x"), i);
      writer.setLong(hiddenKey, table.nextNumber(hiddenKey));
      writer.finish(key, row);
      assertEquals(Outcome.OK, transaction.insert(table.store(), key, row));
    }
    transaction.commit();
    sql.execute("INSERT INTO keyless VALUES (8)");
    assertEquals(5, number("SELECT COUNT(*) FROM keyless"));
    assertEquals(0, session.table("t").numberedColumns().length);
    assertThrows(IllegalArgumentException.class, () -> session.table("t").nextNumber(0));
  }

  @Test
  void shouldPreventDropOfOpenTables() throws SQLException {
    session.table("t");
    SQLException refused = assertThrows(SQLException.class, () -> sql.execute("DROP TABLE t"));
    assertEquals("55P03", refused.getSQLState());
    sql.execute("DROP TABLE heap");
    session.close();
    sql.execute("DROP TABLE t");
  }

  @Test
  void shouldSeeIndexCreatedBeforeLookup() throws SQLException {
    sql.execute("CREATE INDEX t_by_b ON t (b)");
    assertEquals("T_BY_B", session.table("t").index("t_by_b").schema().name());
  }

  @Test
  void shouldReportMissingTablesColumnsAndIndexes() {
    sqlState("42S02", assertThrows(NelumboException.class, () -> session.table("nosuch")));
    NativeTable table = session.table("PUBLIC", "T");
    NelumboException error = assertThrows(NelumboException.class, () -> table.column("nosuch"));
    sqlState("42S22", error);
    assertTrue(error.getMessage().contains("A, B, C"), error.getMessage());
    sqlState("42S12", assertThrows(NelumboException.class, () -> table.index("nosuch")));
    sqlState("42S12", assertThrows(NelumboException.class, session.table("heap")::primary));
    transaction.begin(Isolation.SERIALIZABLE, true);
    assertThrows(IllegalStateException.class, () -> session.table("t"));
    transaction.abort();
  }

  @Test
  void shouldRollBackWhenClosed() throws SQLException {
    NativeTable table = session.table("t");
    transaction.begin(Isolation.SERIALIZABLE, false);
    insert(table, 9, 9, "gone");
    session.close();
    session.close();
    assertEquals(4, number("SELECT COUNT(*) FROM t"));
    sqlState("08003", assertThrows(NelumboException.class, () -> session.table("t")));
  }

  @Test
  void shouldOutliveTheDatabaseUnharmed() throws SQLException {
    NativeTable table = session.table("t");
    connection.close();
    transaction.begin(Isolation.SERIALIZABLE, true);
    assertEquals(Outcome.OK, transaction.get(table.store(), key(table, 1, 1), LockMode.READ, row));
    transaction.commit();
    sqlState("57P01", assertThrows(NelumboException.class, () -> session.table("t")));
    sqlState("08003", assertThrows(NelumboException.class, database::openNative));
  }
}
