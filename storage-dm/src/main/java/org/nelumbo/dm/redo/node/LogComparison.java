package org.nelumbo.dm.redo.node;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.nelumbo.dm.pool.PoolLog;

/**
 * Compares the logs of memory nodes while no compute node appends. A coordinator appends one
 * transaction after the other, and the next one only when all live nodes have the previous one. So
 * if nodes agree on the last transaction of each coordinator, they have the same commits.
 */
public final class LogComparison {
  private LogComparison() {}

  /**
   * Returns true if logs that had the same commits still do. They do not if a compute node has
   * failed during an append, and the outcome of that transaction is not decided yet.
   *
   * @throws org.nelumbo.dm.pool.FabricException if one of the memory nodes fails
   */
  public static boolean haveSameCommits(Collection<PoolLog> logs) {
    Set<LogState.Committed> first = null;
    for (PoolLog log : logs) {
      LogState state = LogState.decode(log.ask(LogRequest.of(LogRequest.STATE, 0)));
      Set<LogState.Committed> last = new HashSet<>(state.committed());
      if (first != null && !first.equals(last)) {
        return false;
      }
      first = last;
    }
    return true;
  }
}
