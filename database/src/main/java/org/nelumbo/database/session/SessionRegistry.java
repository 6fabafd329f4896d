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
 * The open sessions of a database, for SQL and of the native API, by number: so that schema changes
 * look at them in the same order in every run. Thread-safe.
 */
public final class SessionRegistry {
  private final Map<Long, LocalSession> sessions = new ConcurrentSkipListMap<>();
  private final Map<Long, LocalNativeSession> nativeSessions = new ConcurrentSkipListMap<>();
  private final AtomicLong lastSessionId = new AtomicLong();
  private final AtomicLong lastNativeSessionId = new AtomicLong();

  /** A new session for SQL, which stays here until it is closed. */
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

  /** A new session of the native API, which stays here until it is closed. */
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

  /** The open sessions for SQL. */
  public List<LocalSession> sessions() {
    return new ArrayList<>(sessions.values());
  }

  public int nativeCount() {
    return nativeSessions.size();
  }

  public boolean isEmpty() {
    return sessions.isEmpty() && nativeSessions.isEmpty();
  }

  /** The metadata locks of all sessions, those included that come while it is read. */
  public Iterator<HeldMetadataLocks> metadataLocks() {
    return Stream.concat(
            sessions.values().stream().map(LocalSession::metadataLocks),
            nativeSessions.values().stream().map(LocalNativeSession::metadataLocks))
        .iterator();
  }

  /** Stops and closes all sessions for SQL. */
  public void abortAll() {
    sessions().forEach(LocalSession::abort);
  }

  /** No statement begins any more, and what is running is to stop. */
  public void abandonAll() {
    sessions().forEach(LocalSession::abandon);
  }
}
