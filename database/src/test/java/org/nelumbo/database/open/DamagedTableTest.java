package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.index.hash.HashCursor;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.executor.table.TableStore;

/** A damaged table is set aside when the pool is opened; all other tables remain usable. */
@Timeout(120)
class DamagedTableTest {
  private static final int ROWS = 20;
  private final LocalFabric memory = new LocalFabric(1, 64L << 20);
  private LocalDatabase database;
  private Sql sql;

  @BeforeEach
  void fill() {
    attach();
    for (String table : List.of("a", "b", "c")) {
      sql.run("CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, v VARCHAR(2000))");
      insert(table, 0, ROWS);
      sql.run("UPDATE " + table + " SET v = v"); // moves records into their own blocks
    }
    sql.run("CREATE INDEX by_id ON b (id)");
  }

  private void insert(String table, int from, int to) {
    for (int id = from; id < to; id++) {
      sql.update("INSERT INTO " + table + " VALUES (?, ?)", id, (table + id).repeat(200));
    }
  }

  private void attach() {
    database =
        DatabaseOpener.attach(
            DatabaseOptions.defaults(),
            new SystemEnvironment(),
            "a test",
            "",
            () ->
                new ForwardingFabric(memory) {
                  @Override
                  public void close() {}
                });
    sql = new Sql(database);
  }

  /** Abandons the database, as a crash of the owner does. */
  private void crash() {
    database.abandon();
  }

  @AfterEach
  void close() {
    database.close();
    memory.close();
  }

  private TableStore store(String table) {
    return database.catalogOfPool().state().table("PUBLIC", table).store();
  }

  /** Returns the address of the CVT of some row. */
  private static long firstRow(TableStore table, Channel channel) {
    HashCursor cursor = table.hash().newCursor();
    assertTrue(cursor.next(channel) > 0);
    return cursor.cvt(0);
  }

  private static long[] read(Fabric fabric, long address, int words) {
    try (Channel channel = fabric.openChannel(words * Long.BYTES)) {
      channel.read(address, 0, words * Long.BYTES);
      channel.flush();
      MemorySegment copy = channel.staging().asSlice(0, (long) words * Long.BYTES);
      return copy.toArray(ValueLayout.JAVA_LONG);
    }
  }

  /** Returns the address of the cell of a row whose record has its own block. */
  private long ownRecord(long cvt) {
    for (int cell = 0; cell < 2; cell++) {
      long word0 = read(memory, cvt + CvtLayout.cellOffset(cell), 1)[0];
      if (CellLayout.isValid(word0) && CellLayout.hasOwnBlock(word0)) {
        return cvt + CvtLayout.cellOffset(cell);
      }
    }
    throw new AssertionError("no record in a block of its own");
  }

  /** Makes a row of b refer to the record of a row of a. */
  private void share() {
    try (Channel channel = memory.openChannel(1 << 20)) {
      long[] cell = read(memory, ownRecord(firstRow(store("A"), channel)), 2);
      long to = ownRecord(firstRow(store("B"), channel));
      channel.writeLong(to, cell[0]);
      channel.writeLong(to + Long.BYTES, cell[1]);
      channel.flush();
    }
  }

  private void assertDamaged(String... tables) {
    for (String table : tables) {
      for (String statement :
          List.of(
              "SELECT * FROM " + table,
              "SELECT COUNT(*) FROM " + table + " WHERE id = 1",
              "INSERT INTO " + table + " VALUES (1000, 'x')",
              "UPDATE " + table + " SET v = 'x' WHERE id = 1",
              "DELETE FROM " + table,
              "TRUNCATE TABLE " + table,
              "CREATE INDEX more ON " + table + " (v)",
              "ALTER TABLE " + table + " ADD COLUMN w INTEGER")) {
        assertFails(ErrorCode.DATA_CORRUPTED, () -> sql.run(statement));
      }
    }
    assertEquals(
        tables.length, sql.query("SELECT TABLE_NAME, DAMAGE FROM SYS.DAMAGED_TABLES").size());
  }

  private void assertWhole(String table, int rows) {
    assertEquals(List.of(Integer.toString(rows)), sql.query("SELECT COUNT(*) FROM " + table));
    for (int id = 0; id < rows; id++) {
      assertEquals(
          List.of((table + id).repeat(200)),
          sql.query("SELECT v FROM " + table + " WHERE id = ?", id));
    }
  }

  @Test
  void shouldSetTablesAsideThatShareABlock() {
    share();
    crash();
    attach();
    assertDamaged("a", "b");
    assertWhole("c", ROWS);
    insert("c", ROWS, 2 * ROWS);
    assertWhole("c", 2 * ROWS);
    sql.query("SELECT * FROM SYS.MEMORY");
    database.close();
    attach();
    assertDamaged("a", "b");
    sql.run("DROP TABLE b", "DROP TABLE a");
    assertEquals(List.of(), sql.query("SELECT * FROM SYS.DAMAGED_TABLES"));
    sql.run("CREATE TABLE a (id INTEGER PRIMARY KEY, v VARCHAR(2000))");
    insert("a", 0, ROWS);
    assertWhole("c", 2 * ROWS);
    database.close();
    attach();
    assertEquals(List.of(), sql.query("SELECT * FROM SYS.DAMAGED_TABLES"));
    assertWhole("a", ROWS);
    assertWhole("c", 2 * ROWS);
  }

  @Test
  void shouldNotReuseMemoryOfTableWithDamagedRoot() {
    sql.run("ALTER TABLE b ADD CONSTRAINT ab FOREIGN KEY (id) REFERENCES a");
    long root = store("B").hashRoot();
    long row;
    try (Channel channel = memory.openChannel(1 << 20)) {
      row = firstRow(store("B"), channel);
      for (int word = 0; word < 8; word++) {
        channel.writeLong(root + word * Long.BYTES, 0x7777_7777_7777_7777L);
      }
      channel.flush();
    }
    final long[] before = read(memory, row, 8);
    crash();
    attach();
    assertDamaged("b");
    insert("c", ROWS, 20 * ROWS);
    assertWhole("c", 20 * ROWS);
    assertWhole("a", ROWS);
    assertArrayEquals(before, read(memory, row, 8), "it was handed out");
    assertFails(ErrorCode.DATA_CORRUPTED, () -> sql.run("DELETE FROM a"));
    assertFails(ErrorCode.DEPENDENT_OBJECTS, () -> sql.run("DROP TABLE a"));
    sql.run("DROP TABLE a CASCADE", "DROP TABLE b");
  }
}
