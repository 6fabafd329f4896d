package org.nelumbo.executor.lock.remote;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.nelumbo.dm.peer.PeerId;

/**
 * How far the removal of compute nodes has come: when what they held may be released, and when the
 * shards that they owned may be given to others (LOTUS section 6). For whoever changes the
 * configuration; not thread-safe.
 *
 * <pre>
 *   removed from the map and fenced -> logs recovered -> its locks are released everywhere
 *              \-> every member drained -------\-> its shards get new owners, without a lock
 * </pre>
 */
public final class OrphanedShards {
  private final Set<PeerId> unrecovered = new HashSet<>();
  private final List<PeerId> recovered = new ArrayList<>();
  private final Map<PeerId, Long> drained = new HashMap<>();
  private long lastRemoval;

  /** A compute node is fenced, and the map of that epoch is the first without it. */
  public void removed(PeerId gone, long epoch) {
    unrecovered.add(gone);
    lastRemoval = epoch;
  }

  /** The logs of a fenced compute node are recovered. */
  public void recovered(PeerId gone) {
    if (unrecovered.remove(gone)) {
      recovered.add(gone);
    }
  }

  /** A member has found itself drained ({@link ClusterLocks#isDrained}) under an epoch. */
  public void drained(PeerId member, long epoch) {
    drained.merge(member, epoch, Math::max);
  }

  /** Those whose locks may be released, in the order of their recovery. */
  public List<PeerId> releasable() {
    return recovered;
  }

  /** Whether shards that nobody owns in a map may be given to members. */
  public boolean mayGiveAway(ShardMap map) {
    return isRecovered() && isDrained(map);
  }

  private boolean isRecovered() {
    return unrecovered.isEmpty();
  }

  private boolean isDrained(ShardMap map) {
    for (PeerId each : map.members()) {
      if (drained.getOrDefault(each, 0L) < lastRemoval) {
        return false;
      }
    }
    return true;
  }
}
