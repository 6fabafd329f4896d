package org.nelumbo.jdbc.embedded;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.database.open.DatabaseHolder;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * A database that the connections of this JVM share. Thread-safe.
 *
 * <p>A separate thread opens it once, while each caller waits up to its own timeout. The object
 * remembers the id of the pool, so that a lost pool is not silently replaced by another one.
 */
final class SharedDatabase {
  private static final long POLL_NANOS = 100_000_000;

  private final String location;
  private final DatabaseHolder holder = new DatabaseHolder();

  /** Guards {@link #opening}; held briefly, never while a pool is being opened. */
  private final ReentrantLock lock = new ReentrantLock();

  private Opening opening;

  /** The failure of the latest opening if a memory node was loading the pool; null otherwise. */
  private volatile NelumboException loading;

  private volatile long poolId;

  /** A function that opens the database. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens the database.
     *
     * @param remembered id of the pool that was open here before; 0 if none was
     */
    LocalDatabase open(long remembered) throws SQLException;
  }

  /**
   * An opening in progress and the request of the caller that started it. It allocates all objects
   * that its end needs in advance, because the opening may fail with a full heap.
   */
  private static final class Opening {
    private final Opener opener;
    private final Object request;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** The opened database, or null after a failure. Both fields are set before the latch opens. */
    private LocalDatabase database;

    private Throwable failure;

    Opening(Opener opener, Object request) {
      this.opener = opener;
      this.request = request;
    }

    void end(LocalDatabase newDatabase, Throwable newFailure) {
      database = newDatabase;
      failure = newFailure;
      ended.countDown();
    }

    boolean hasEnded() {
      return ended.getCount() == 0;
    }
  }

  /**
   * Creates a holder without a database.
   *
   * @param location location of the pool, as the view of attaches in progress shows it
   */
  SharedDatabase(String location) {
    this.location = location;
  }

  /** Returns the current database, or null if none is open. */
  LocalDatabase database() {
    return holder.database();
  }

  /**
   * Returns the open database, or opens it with {@code opener}.
   *
   * <p>If an opening is in progress, this method waits for it. If that opening fails and its
   * request differs from {@code request}, the method tries again with {@code opener}.
   *
   * <p>While a memory node is still loading the pool, the method repeats the attempt until the
   * timeout of the caller. A caller without a limit gets the error immediately.
   *
   * @param request the requested properties, compared with the request of an opening in progress
   * @param seconds longest wait; 0 for no limit
   * @throws SQLTimeoutException if the timeout expires; the opening continues. 57P03 if the pool is
   *     being loaded here, or the previous opening found that it is being loaded elsewhere
   */
  LocalDatabase get(Opener opener, Object request, int seconds) throws SQLException {
    LocalDatabase present = usable();
    if (present != null) {
      return present;
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      Opening next = opening(opener, request);
      try {
        return await(next, seconds, end);
      } catch (SQLException e) {
        NelumboException found = loading;
        if (found != null && e instanceof SQLTimeoutException) {
          throw found;
        }
        if (next.request.equals(request) || !next.hasEnded()) {
          throw e;
        }
      } catch (NelumboException e) {
        if (e.code() != ErrorCode.STARTING || System.nanoTime() - end >= 0) {
          throw e;
        }
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  private LocalDatabase usable() {
    LocalDatabase database = holder.database();
    return database != null && database.isOpen() && database.isReachable() ? database : null;
  }

  private Opening opening(Opener opener, Object request) {
    lock.lock();
    try {
      if (opening == null) {
        LocalDatabase database = holder.database();
        if (database != null && database.isOpen()) {
          Opening over = new Opening(opener, request);
          over.end(database, null);
          return over;
        }
        Opening next = new Opening(opener, request);
        Thread.ofPlatform().daemon().name("nelumbo-attach").start(() -> open(next));
        opening = next; // set first: the thread needs the lock to clear it
      }
      return opening;
    } finally {
      lock.unlock();
    }
  }

  private void open(Opening own) {
    LocalDatabase database = null;
    Throwable failure = null;
    try {
      LocalDatabase stopped = holder.stopped();
      database =
          stopped == null
              ? AttachProgress.track(
                  new SystemEnvironment(), location, () -> own.opener.open(poolId))
              : stopped.recover();
      poolId = database.poolId() == 0 ? poolId : database.poolId();
      holder.open(database);
    } catch (Throwable e) {
      failure = e;
    }
    lock.lock();
    try {
      opening = null;
      loading =
          failure instanceof NelumboException known && known.code() == ErrorCode.STARTING
              ? known
              : null;
    } finally {
      lock.unlock();
      own.end(database, failure);
    }
  }

  private AttachProgress.State state() {
    return AttachProgress.underWay().stream()
        .filter(attach -> attach.location().equals(location))
        .map(AttachProgress::state)
        .findFirst()
        .orElse(null);
  }

  private LocalDatabase await(Opening opening, int seconds, long end) throws SQLException {
    try {
      if (seconds <= 0) {
        opening.ended.await();
      } else if (!opening.ended.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw late(seconds);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw SqlExceptions.of(
          ErrorCode.CONNECTION_FAILED,
          "interrupted while the pool was being opened; opening continues");
    }
    return switch (opening.failure) {
      case null -> opening.database;
      case SQLException known -> throw known;
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      default -> throw new IllegalStateException(opening.failure);
    };
  }

  private SQLTimeoutException late(int seconds) {
    AttachProgress.State state = state();
    boolean isLoading = state != null && state.phase() == AttachProgress.Phase.LOADING;
    ErrorCode code = isLoading ? ErrorCode.STARTING : ErrorCode.CONNECTION_FAILED;
    return new SQLTimeoutException(
        "the login timeout of "
            + seconds
            + " s has expired, and the pool is still being opened"
            + (isLoading ? " (" + state + ")" : "")
            + "; opening continues: try again, or allow more time",
        code.sqlState());
  }
}
