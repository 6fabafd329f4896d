package org.nelumbo.database.session;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Background task that ends idle transactions for which other compute nodes wait. A shard cannot
 * leave its owner, nor be reassigned after the owner has failed, while a transaction that has
 * written holds a lock of it. A busy transaction ends by itself, because it gets no more locks.
 */
public final class IdleTransactions implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IdleTransactions.class);
  private static final long PERIOD_NANOS = 100_000_000L;

  /** Longest pause between two statements of a session. */
  static final long PATIENCE_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final SessionRegistry sessions;
  private final BackgroundThread thread;

  /**
   * Session number to the time when other compute nodes were first seen waiting for the session.
   */
  private final Map<Long, Long> awaitedSince = new HashMap<>();

  public IdleTransactions(Environment environment, SessionRegistry sessions) {
    this.environment = environment;
    this.sessions = sessions;
    this.thread = new BackgroundThread(environment, "nelumbo-idle", this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!thread.isStopped()) {
        environment.parkNanos(PERIOD_NANOS);
        look();
      }
    } catch (FabricException e) {
      LOG.debug("no longer checking idle transactions: {}", e.getMessage());
    }
  }

  private void look() {
    Map<Long, Long> before = new HashMap<>(awaitedSince);
    awaitedSince.clear();
    long now = environment.nanoTime();
    for (LocalSession session : sessions.sessions()) {
      if (session.isAwaited()) {
        long since = before.getOrDefault(session.id(), now);
        awaitedSince.put(session.id(), since);
        if (now - since >= PATIENCE_NANOS && session.endIdle(failure())) {
          LOG.info(
              "session {} was idle while other compute nodes waited for its locks", session.id());
        }
      }
    }
  }

  private static NelumboException failure() {
    return new NelumboException(
        ErrorCode.SERIALIZATION_FAILURE,
        "the transaction was rolled back: its session was idle while another compute node"
            + " waited for its end to take over its locks; retry it");
  }

  /** Stops ending transactions. */
  public void stop() {
    thread.stop();
  }

  @Override
  public void close() {
    thread.stop();
    thread.join();
  }
}
