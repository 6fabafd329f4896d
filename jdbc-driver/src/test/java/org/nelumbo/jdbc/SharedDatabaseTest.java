package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several connections open one database at the same time. */
@Timeout(60)
class SharedDatabaseTest {
  private final SharedDatabase shared = new SharedDatabase();
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
  void shouldTryByItselfWhenWhoAskedForSomethingElseFailed() throws Exception {
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
}
