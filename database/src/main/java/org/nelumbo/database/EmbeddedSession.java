package org.nelumbo.database;

import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.session.Session;

/** A session of a database that is open in this process. */
public interface EmbeddedSession extends Session {
  /**
   * Returns a copy of the session's counters of round trips, verbs and bytes, or null unless the
   * database was opened to count them ({@link DatabaseOptions#countVerbs}).
   */
  FabricCounters counters();
}
