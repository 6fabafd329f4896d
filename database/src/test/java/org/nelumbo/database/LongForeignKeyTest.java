package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Foreign keys of texts that are too long for the entries of their indexes. */
@Timeout(60)
class LongForeignKeyTest {
  private static final long SEED = 5;
  private static final int PARENTS = 12;
  private static final int ROWS = 150;
  private static final int STATEMENTS = 400;

  private final Random random = new Random(SEED);
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE p (a VARCHAR(255), b VARCHAR(255), PRIMARY KEY (a, b))",
        "CREATE TABLE c (id VARCHAR(255) PRIMARY KEY, a VARCHAR(255), b VARCHAR(255), v INTEGER,"
            + " FOREIGN KEY (a, b) REFERENCES p ON DELETE CASCADE)",
        "CREATE TABLE bare (id VARCHAR(255) PRIMARY KEY, a VARCHAR(255), b VARCHAR(255),"
            + " v INTEGER)");
    for (int i = 0; i < PARENTS; i++) {
      sql.update("INSERT INTO p VALUES (?, ?)", a(i), b(i));
    }
    for (int i = 0; i < ROWS; i++) {
      insert(i, random.nextInt(PARENTS + 1));
    }
  }

  @AfterEach
  void close() {
    database.close();
  }

  /**
   * Returns a value. Half of the values are short; the others differ only behind the prefix that an
   * index entry keeps.
   */
  private static String a(int i) {
    return i % 2 == 0 ? "a" + i / 4 : "a".repeat(160) + i / 4;
  }

  private static String b(int i) {
    return i % 3 == 0 ? "b" + i : "b".repeat(20) + i;
  }

  private static String id(int i) {
    return i % 3 == 0 ? "i" + i : "i".repeat(185) + i;
  }

  /** Inserts a row into each table, with a NULL key for the number after the last parent. */
  private void insert(int i, int parent) {
    String a = parent == PARENTS ? null : a(parent);
    String b = parent == PARENTS ? null : b(parent);
    sql.update("INSERT INTO c VALUES (?, ?, ?, ?)", id(i), a, b, i % 7);
    sql.update("INSERT INTO bare VALUES (?, ?, ?, ?)", id(i), a, b, i % 7);
  }

  private List<String> both(String query, Object... parameters) {
    List<String> rows = sql.query(query.replace("$t", "c"), parameters);
    assertEquals(sql.query(query.replace("$t", "bare"), parameters), rows, query);
    return rows;
  }

  private void change(String change, Object... parameters) {
    long changed = sql.update(change.replace("$t", "bare"), parameters);
    assertEquals(changed, sql.update(change.replace("$t", "c"), parameters), change);
  }

  private String plan(String query) {
    return String.join("\n", sql.query("EXPLAIN PLAN FOR " + query));
  }

  @Test
  void shouldFindRowsByTheirKeys() {
    assertTrue(plan("SELECT id FROM c WHERE a = 'a0' AND b = 'b0'").contains("IndexRangeScan"));
    for (int i = 0; i < PARENTS; i++) {
      both("SELECT id FROM $t WHERE a = ? AND b = ? ORDER BY id", a(i), b(i));
      both("SELECT id FROM $t WHERE a = ? ORDER BY id", a(i));
      both("SELECT id FROM $t WHERE a = ? AND b < ? ORDER BY id", a(i), b(i));
      both("SELECT id FROM $t WHERE a = ? AND b >= ? ORDER BY id DESC", a(i), b(i));
      both("SELECT id FROM $t WHERE a > ? ORDER BY id", a(i));
      both("SELECT id FROM $t WHERE a <= ? ORDER BY id", a(i));
      both("SELECT a, b, id FROM $t WHERE a <= ? ORDER BY a, b, id LIMIT 20", a(i));
      both("SELECT MAX(id), MIN(v), MAX(b) FROM $t WHERE a = ?", a(i));
    }
    both("SELECT MIN(a), MAX(a) FROM $t");
    both("SELECT a, b, COUNT(*) FROM $t GROUP BY a, b ORDER BY a, b");
    both("SELECT a, b, id FROM $t ORDER BY a, b, id");
    both("SELECT id FROM $t WHERE a IS NULL ORDER BY id");
    both(
        "SELECT p.a, p.b, COUNT(t.id) FROM p LEFT JOIN $t t ON t.a = p.a AND t.b = p.b"
            + " GROUP BY p.a, p.b ORDER BY p.a, p.b");
  }

  @Test
  void shouldMaintainIndexEntriesUnderRandomChanges() {
    for (int step = 0; step < STATEMENTS; step++) {
      int i = random.nextInt(PARENTS);
      int row = random.nextInt(ROWS);
      switch (random.nextInt(5)) {
        case 0 -> change("UPDATE $t SET a = ?, b = ? WHERE id = ?", a(i), b(i), id(row));
        case 1 -> change("DELETE FROM $t WHERE id = ?", id(row));
        case 2 -> {
          change("DELETE FROM $t WHERE id = ?", id(row));
          insert(row, i);
        }
        case 3 -> change("UPDATE $t SET v = v + 1 WHERE a = ? AND b = ?", a(i), b(i));
        default -> both("SELECT id, v FROM $t WHERE a = ? AND b = ? ORDER BY id", a(i), b(i));
      }
    }
    both("SELECT * FROM $t ORDER BY id");
    sql.run("ALTER TABLE c ADD COLUMN w INTEGER DEFAULT 1");
    assertEquals(
        List.of(),
        sql.query(
            "SELECT id FROM bare WHERE NOT EXISTS"
                + " (SELECT 1 FROM c WHERE c.a = bare.a AND c.b = bare.b AND c.id = bare.id)"
                + " AND a IS NOT NULL"));
    sql.run("CHECK TABLE c");
  }

  @Test
  void shouldCascadeDeletesToReferencingRows() {
    int removed = 0;
    for (int i = 0; i < PARENTS; i += 2) {
      removed +=
          sql.update("DELETE FROM bare WHERE a = ? AND b = ?", a(i + 1), b(i + 1)) > 0 ? 1 : 0;
      sql.update("DELETE FROM p WHERE a = ? AND b = ?", a(i + 1), b(i + 1));
    }
    assertTrue(removed > 0);
    both("SELECT id, a, b, v FROM $t ORDER BY id");
    NelumboException missing =
        assertThrows(
            NelumboException.class,
            () -> sql.update("INSERT INTO c VALUES ('n', ?, ?, 1)", a(1), b(1)));
    assertEquals(ErrorCode.FOREIGN_KEY_VIOLATION, missing.code());
  }

  @Test
  void shouldAcceptLongerKeysAfterColumnIsWidened() {
    sql.run(
        "CREATE TABLE q (k VARCHAR(30) PRIMARY KEY)",
        "CREATE TABLE d (id VARCHAR(10) PRIMARY KEY, k VARCHAR(30) REFERENCES q)",
        "INSERT INTO q VALUES ('x'), ('yyyyyyyyyyyyyyyyyyyyyyyyy')",
        "INSERT INTO d VALUES ('1', 'x')",
        "ALTER TABLE d ALTER COLUMN id SET DATA TYPE VARCHAR(200)");
    sql.update("INSERT INTO d VALUES (?, ?)", "z".repeat(190), "y".repeat(25));
    assertEquals(List.of("1"), sql.query("SELECT id FROM d WHERE k = 'x'"));
    assertEquals(List.of("190"), sql.query("SELECT LENGTH(id) FROM d WHERE k > 'xx'"));
    assertTrue(plan("SELECT id FROM d WHERE k = 'x'").contains("IndexRangeScan"));
    sql.run("CHECK TABLE d");
  }
}
