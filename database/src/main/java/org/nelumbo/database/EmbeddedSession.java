package org.nelumbo.database;

import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.session.Session;

/** A session with a database that this process has opened. */
public interface EmbeddedSession extends Session {
  /**
   * Returns a copy of the session's counters of round trips, verbs and bytes; null unless the
   * database was opened to count them ({@link DatabaseOptions#countVerbs}).
   */
  FabricCounters counters();
}
