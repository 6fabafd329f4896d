package org.nelumbo.database.session;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.StatementExecution;

/**
 * Closed executions stay in their session for reuse. Only one thread at a time uses the session.
 */
@Timeout(60)
class RestingExecutionTest {
  private static final String TEXT = "SELECT id FROM t";

  @Test
  void shouldReuseExecutionOnlyIfClosedWhileSessionIsIdle() {
    try (Database database = Sql.memory();
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY)");
      sql.update("INSERT INTO t VALUES " + Sql.rows(0, 500, id -> "" + id));
      LocalSession session = (LocalSession) sql.session();
      StatementExecution first = session.newExecution(session.prepare(TEXT));
      first.close();
      StatementExecution second = session.newExecution(session.prepare(TEXT));
      assertSame(first, second, "it rests, and is taken again");
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(
              () ->
                  assertThrows(
                      NelumboException.class,
                      () ->
                          sql.query(
                              "SELECT COUNT(*) FROM t a, t b, t c, t d, t e"
                                  + " WHERE a.id + b.id + c.id + d.id + e.id = 7")));
      while (session.runningSql() == null) {
        LockSupport.parkNanos(100_000);
      }
      second.close();
      session.cancel();
      other.join();
      assertNotSame(second, session.newExecution(session.prepare(TEXT)));
    }
  }
}
