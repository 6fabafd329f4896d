package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ON CONFLICT, MERGE and RETURNING with parameters, and in several concurrent sessions. */
@Timeout(60)
class UpsertTest {
  private static final int SESSIONS = 4;
  private static final int ROUNDS = 200;

  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(9) UNIQUE, n INTEGER)");
  }

  @AfterEach
  void close() {
    sql.close();
    database.close();
  }

  private static final String COUNT =
      "INSERT INTO t (id, n) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET n = t.n + ? WHERE t.n < ?"
          + " RETURNING n, ? * n";

  @Test
  void shouldAcceptParametersInAllClauses() {
    assertEquals(List.of("5 10"), sql.query(COUNT, 1, 5, 7, 10, 2));
    assertEquals(List.of("12 24"), sql.query(COUNT, 1, 5, 7, 10, 2));
    assertEquals(List.of(), sql.query(COUNT, 1, 5, 7, 10, 2));
    String merge =
        "MERGE INTO t USING (VALUES (CAST(? AS INTEGER))) AS s (id) ON t.id = s.id"
            + " WHEN MATCHED AND n > ? THEN UPDATE SET n = ?, name = ?"
            + " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (?, ?) RETURNING id, name, n";
    assertEquals(List.of("1 x 3"), sql.query(merge, 1, 11, 3, "x", 0, 0));
    assertEquals(List.of(), sql.query(merge, 1, 11, 3, "x", 0, 0));
    assertEquals(List.of("8 null 9"), sql.query(merge, 7, 11, 3, "x", 8, 9));
    assertEquals(1, sql.update("UPDATE t SET n = ? FROM t u WHERE t.id = ? AND u.id = t.id", 4, 8));
    assertEquals(List.of("8 4"), sql.query("DELETE FROM t WHERE id = ? RETURNING id, n", 8));
  }

  @Test
  void shouldLoseNoUpdateOfSeveralSessions() throws Exception {
    List<String> counters =
        List.of(
            "INSERT INTO t VALUES (1, 'a', 1) ON CONFLICT (id) DO UPDATE SET n = t.n + 1",
            "INSERT INTO t VALUES (1, 'a', 1) ON CONFLICT (name) DO UPDATE SET n = t.n + 1",
            "MERGE INTO t USING (VALUES (1)) AS s (id) ON t.id = s.id"
                + " WHEN MATCHED THEN UPDATE SET n = n + 1"
                + " WHEN NOT MATCHED THEN INSERT VALUES (1, 'a', 1)",
            "INSERT INTO t VALUES (1, 'a', 1) ON CONFLICT (id) DO UPDATE"
                + " SET n = t.n + excluded.n RETURNING n");
    List<Future<Integer>> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(SESSIONS)) {
      for (String counter : counters) {
        done.add(threads.submit(() -> count(counter)));
      }
      for (Future<Integer> each : done) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    assertEquals(
        List.of("1 a " + SESSIONS * ROUNDS), sql.query("SELECT * FROM t"), "every count is there");
  }

  private int count(String counter) {
    try (Sql own = new Sql(database)) {
      boolean returns = counter.endsWith("RETURNING n");
      for (int i = 0; i < ROUNDS; i++) {
        if (returns) {
          assertEquals(1, own.query(counter).size());
        } else {
          assertEquals(1, own.update(counter));
        }
      }
      return ROUNDS;
    }
  }

  @Test
  void shouldWaitForAnotherSessionsInsertAndUpdateItsRow() throws Exception {
    try (Sql first = Sql.transactions(database);
        ExecutorService threads = Executors.newFixedThreadPool(1)) {
      first.run("INSERT INTO t VALUES (1, 'a', 1)");
      Future<Integer> second =
          threads.submit(
              () -> {
                try (Sql own = new Sql(database)) {
                  return (int)
                      own.update(
                          "INSERT INTO t VALUES (2, 'a', 5) ON CONFLICT (name) DO UPDATE"
                              + " SET n = t.n + excluded.n");
                }
              });
      while (!second.isDone() && !anyWaits()) {
        LockSupport.parkNanos(100_000);
      }
      assertFalse(second.isDone(), "the other session's row is not committed");
      first.session().commit();
      assertEquals(1, second.get(60, TimeUnit.SECONDS));
    }
    assertEquals(List.of("1 a 6"), sql.query("SELECT * FROM t"));
  }

  private boolean anyWaits() {
    return !sql.query("SELECT session_id FROM SYS.TRANSACTIONS WHERE state = 'WAITING'").isEmpty();
  }

  @Test
  void shouldReturnChangesOnceCommitted() {
    assertEquals(List.of("1"), sql.query("INSERT INTO t (id) VALUES (1) RETURNING id"));
    try (Sql other = Sql.transactions(database)) {
      assertEquals(List.of("1"), other.query("DELETE FROM t RETURNING id"));
      other.session().rollback();
    }
    assertEquals(List.of("1"), sql.query("SELECT id FROM t"));
  }
}
