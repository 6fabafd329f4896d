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
 * A database that connections of this JVM share, and how it is opened: once, by a thread of its
 * own, while all who want it wait as long as they like to. It remembers which pool it was, so that
 * a lost one is not replaced by another without a word. Thread-safe.
 */
final class SharedDatabase {
  private static final long POLL_NANOS = 100_000_000;

  private final String place;
  private final DatabaseHolder holder = new DatabaseHolder();

  /** Held for a moment only, never while a pool is opened. */
  private final ReentrantLock lock = new ReentrantLock();

  /** The opening that is in progress; null if none is. */
  private Opening opening;

  /** The failure of the latest opening if a memory node was loading the pool; null otherwise. */
  private volatile NelumboException loading;

  private volatile long poolId;

  /** Opens a database. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens it.
     *
     * @param remembered id of the pool that was open here before; 0 if none was
     */
    LocalDatabase open(long remembered) throws SQLException;
  }

  /**
   * An opening, and what whoever has begun it asks for. All that its end takes is there from the
   * beginning: the opening may fail because the heap is full.
   */
  private static final class Opening {
    private final Opener opener;
    private final Object request;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Null if it has failed; set, as is the failure, before the end. */
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
   * A database that nobody has opened yet.
   *
   * @param place where its pool is, as those see it who look what is being attached to
   */
  SharedDatabase(String place) {
    this.place = place;
  }

  /** The database as it is now; null if none is open. */
  LocalDatabase database() {
    return holder.database();
  }

  /**
   * The open database, or what {@code opener} opens. If another is opening it, that is waited for;
   * where it fails, and the other has asked for something else, it is tried with {@code opener}.
   *
   * <p>While a memory node is still loading the pool, it is tried again for as long as whoever asks
   * likes to wait; who has no limit is told at once.
   *
   * @param request what is asked for, to be compared with what others ask for
   * @param seconds longest wait; 0 for no limit
   * @throws SQLTimeoutException if that was not enough; the opening goes on. 57P03 if the pool is
   *     being loaded here, or the opening before found that it is loaded elsewhere
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
        opening = next; // the thread waits for the lock before it takes it out
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
              ? AttachProgress.track(new SystemEnvironment(), place, () -> own.opener.open(poolId))
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

  /** How far the opening has come; null if there is none. */
  private AttachProgress.State state() {
    return AttachProgress.underWay().stream()
        .filter(attach -> attach.place().equals(place))
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
          ErrorCode.CONNECTION_FAILED, "interrupted while the pool was being opened; that goes on");
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
            + " s is over, and the pool is still being opened"
            + (isLoading ? " (" + state + ")" : "")
            + "; that goes on: try again, or allow more time",
        code.sqlState());
  }
}
