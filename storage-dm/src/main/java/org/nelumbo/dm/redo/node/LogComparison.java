package org.nelumbo.dm.redo.node;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.nelumbo.dm.pool.PoolLog;

/**
 * Comparison of the logs of memory nodes while nobody appends. A coordinator appends one
 * transaction after the other, and the next one when all live nodes have the one before. So if
 * nodes agree on the last transaction of each coordinator, they have the same commits.
 */
public final class LogComparison {
  private LogComparison() {}

  /**
   * Whether logs that had the same commits still do: not if a compute node has died while it
   * appended, and nobody has decided yet about that transaction.
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
