package org.nelumbo.jdbc.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Several connections that open one database at the same time. */
@Timeout(60)
class SharedDatabaseTest {
  private final SharedDatabase shared = new SharedDatabase("a test");
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  private CompletableFuture<String> open(String request, SharedDatabase.Opener opener) {
    CompletableFuture<String> failure = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              SQLException e =
                  assertThrows(SQLException.class, () -> shared.get(opener, request, 0));
              failure.complete(e.getMessage());
            });
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      LockSupport.parkNanos(100_000);
    }
    return failure;
  }

  @Test
  void shouldShareFailureOnlyBetweenEqualRequests() throws Exception {
    CompletableFuture<String> first =
        open(
            "create=false",
            remembered -> {
              begun.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new SQLException(e);
              }
              throw new SQLException("there is no pool");
            });
    begun.await();
    CompletableFuture<String> other =
        open(
            "create=true",
            remembered -> {
              throw new SQLException("its own failure");
            });
    CompletableFuture<String> equal =
        open(
            "create=false",
            remembered -> {
              throw new SQLException("tried once more in vain");
            });
    end.countDown();
    assertEquals("there is no pool", first.get());
    assertEquals("its own failure", other.get());
    assertEquals("there is no pool", equal.get());
  }

  @Test
  void shouldReportLoadingProgressOnLoginTimeout() throws Exception {
    CompletableFuture<String> first =
        open(
            "one",
            remembered -> {
              AttachProgress.current().report(AttachProgress.Phase.LOADING, 7, 700);
              begun.countDown();
              try {
                end.await();
              } catch (InterruptedException e) {
                throw new SQLException(e);
              }
              throw new SQLException("over");
            });
    begun.await();
    SQLException e =
        assertThrows(
            SQLTimeoutException.class,
            () ->
                shared.get(
                    remembered -> {
                      throw new SQLException("nobody asks for this");
                    },
                    "other",
                    1));
    assertEquals("57P03", e.getSQLState());
    assertTrue(e.getMessage().contains("loading, 1 % of 700 rows"), e.getMessage());
    end.countDown();
    assertEquals("over", first.get());
  }

  @Test
  void shouldRepeatLastStartingErrorOnLoginTimeout() throws Exception {
    SharedDatabase.Opener refused =
        remembered -> {
          throw new NelumboException(ErrorCode.STARTING, "memory node 0 is loading its pool");
        };
    assertThrows(NelumboException.class, () -> shared.get(refused, "one", 0));
    SharedDatabase.Opener slow =
        remembered -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new SQLException(e);
          }
          throw new SQLException("over");
        };
    NelumboException e = assertThrows(NelumboException.class, () -> shared.get(slow, "one", 1));
    assertEquals(ErrorCode.STARTING, e.code());
    end.countDown();
  }
}
