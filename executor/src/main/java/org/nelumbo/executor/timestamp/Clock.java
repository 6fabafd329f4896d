package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;

/**
 * The timestamp service (LOTUS section 5), which defines one global order. Timestamps have 56 bits:
 * microseconds since 2024-01-01 UTC, times 16, plus a count. Thread-safe.
 *
 * <p>Other compute nodes may draw timestamps, too. So there are two kinds of methods. Some return
 * the local state, at no cost. Others return the global state, for which they may have to access
 * the pool through a channel, in one round trip.
 */
public interface Clock extends AutoCloseable {
  /** Starts the thread that keeps the clock near physical time. */
  void start();

  /**
   * Returns the largest timestamp that is known here. Other compute nodes may have drawn larger
   * ones; this one has not.
   */
  long now();

  /**
   * Returns a start timestamp: every commit timestamp that was drawn anywhere before this call is
   * not above it, and every one that is drawn after it is.
   */
  long read(Channel channel);

  /**
   * Sets a snapshot to all commits that were visible anywhere before this call. Other compute
   * nodes' commits that follow are not in it.
   */
  default void read(Channel channel, Snapshot into) {
    into.set(read(channel));
  }

  /**
   * Sets a snapshot as {@link #readSettled} does, or a tentative one ({@link Snapshot#hasMissed})
   * without a round trip.
   */
  default void readTentatively(Channel channel, Snapshot into) {
    readSettled(channel, into);
  }

  /**
   * Sets a snapshot, as {@link #readSettled} does, to all commits up to one timestamp. The commits
   * of a cut are closed under dependencies, so a cut can be combined with a log that has
   * timestamps. A cut may separate two commits on two compute nodes that only a client connects, if
   * their clocks differ: see {@code docs/internals/commit-vector.md}.
   *
   * @param environment environment of waits, which may throw to end them
   */
  default void readCut(Channel channel, Environment environment, Snapshot into) {
    readSettled(channel, into);
  }

  /** Returns a commit timestamp, which is larger than every timestamp returned before, anywhere. */
  long next(Channel channel);

  /**
   * Returns a commit timestamp for a coordinator, which calls {@link #landed} when the cells of the
   * commit are in the pool.
   *
   * @param slot slot of the coordinator
   */
  default long next(Channel channel, int slot) {
    return next(channel);
  }

  /**
   * Returns true if a commit becomes visible by {@link #publish}: its cells may have their
   * timestamp from the beginning, and snapshots do not contain them yet.
   */
  default boolean publishes() {
    return false;
  }

  /** Makes timestamps that are drawn from now on larger than {@code timestamp}. */
  default void raiseAbove(long timestamp) {}

  /** Records that the cells of the commit in progress of a coordinator are in the pool. */
  default void landed(int slot) {}

  /**
   * Returns when all snapshots that are read from now on contain the commits of this compute node
   * up to a timestamp. The locks of such a commit are released afterwards.
   *
   * @param environment environment of waits, which may throw to end them
   */
  default void publish(Channel channel, Environment environment, long timestamp) {}

  /**
   * Posts the drawing of a commit timestamp behind the verbs already posted to a memory node, so
   * that it costs no round trip of its own. The timestamp is drawn when these verbs have taken
   * effect.
   *
   * @param node memory node of all verbs that must precede the drawing; negative if there are
   *     several
   * @return handle for {@link #drawn}; negative if the timestamp is drawn only there
   */
  default int postNext(Channel channel, int node) {
    return -1;
  }

  /**
   * Returns the commit timestamp, after the flush.
   *
   * @param posted handle of {@link #postNext}, not negative
   */
  default long drawn(Channel channel, int posted) {
    throw new IllegalStateException("no timestamp was posted");
  }

  /**
   * Returns the largest timestamp known here up to which no commit can be lost. A reader as of this
   * timestamp need not wait for any commit.
   */
  default long settled() {
    return now();
  }

  /** Sets a snapshot for read-only transactions: it has no commits that may be lost. */
  default void readSettled(Channel channel, Snapshot into) {
    read(channel, into);
  }

  /**
   * Returns the timestamp of memory that no index or cell leads to any more: no snapshot that was
   * read before has a larger {@link Snapshot#low}.
   */
  default long retirement(Channel channel) {
    return read(channel);
  }

  /**
   * Returns a timestamp that separates snapshots by {@link Snapshot#newest}: it is not larger than
   * that of a snapshot that is read from now on. If the clock publishes, it is larger than that of
   * a snapshot that was read before.
   *
   * @param environment environment of waits, which may throw to end them
   */
  default long barrier(Channel channel, Environment environment) {
    return read(channel);
  }

  /** Makes every later timestamp larger than {@code timestamp}. The pool must be exclusive. */
  void raiseTo(long timestamp);

  @Override
  void close();
}
