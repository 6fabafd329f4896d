package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.session.SessionOptions;

/**
 * The open sessions of a database, SQL and native, ordered by number, so that schema changes visit
 * them in the same order in every run. Thread-safe.
 */
public final class SessionRegistry {
  private final Map<Long, LocalSession> sessions = new ConcurrentSkipListMap<>();
  private final Map<Long, LocalNativeSession> nativeSessions = new ConcurrentSkipListMap<>();
  private final AtomicLong lastSessionId = new AtomicLong();
  private final AtomicLong lastNativeSessionId = new AtomicLong();

  /** Opens an SQL session, which is registered until it is closed. */
  public LocalSession open(SessionContext context, SessionOptions options) {
    long id = lastSessionId.incrementAndGet();
    Coordinator coordinator = context.engine().openCoordinator();
    try {
      LocalSession session =
          new LocalSession(context, coordinator, id, options, () -> sessions.remove(id));
      sessions.put(id, session);
      return session;
    } catch (RuntimeException | Error e) {
      coordinator.close();
      throw e;
    }
  }

  /** Opens a native session, which is registered until it is closed. */
  public LocalNativeSession openNative(SessionContext context) {
    long id = lastNativeSessionId.incrementAndGet();
    Coordinator coordinator = context.engine().openCoordinator();
    try {
      LocalNativeSession session =
          new LocalNativeSession(context, coordinator, () -> nativeSessions.remove(id));
      nativeSessions.put(id, session);
      return session;
    } catch (RuntimeException | Error e) {
      coordinator.close();
      throw e;
    }
  }

  /** Returns the open SQL sessions. */
  public List<LocalSession> sessions() {
    return new ArrayList<>(sessions.values());
  }

  public int nativeCount() {
    return nativeSessions.size();
  }

  public boolean isEmpty() {
    return sessions.isEmpty() && nativeSessions.isEmpty();
  }

  /** Returns the metadata locks of all sessions, including sessions opened during the iteration. */
  public Iterator<HeldMetadataLocks> metadataLocks() {
    return Stream.concat(
            sessions.values().stream().map(LocalSession::metadataLocks),
            nativeSessions.values().stream().map(LocalNativeSession::metadataLocks))
        .iterator();
  }

  /** Stops and closes all SQL sessions. */
  public void abortAll() {
    sessions().forEach(LocalSession::abort);
  }

  /** Rejects new statements and stops the running ones. */
  public void abandonAll() {
    sessions().forEach(LocalSession::abandon);
  }
}
