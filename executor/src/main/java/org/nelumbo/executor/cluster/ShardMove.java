package org.nelumbo.executor.cluster;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.LockShards;

/**
 * A move of shards to another member. Moves bring pinned shards to their members, and share the
 * other shards evenly among the members that own shards.
 *
 * @param shards shards to move, owned by the moving member
 * @param to member that receives them
 */
record ShardMove(BitSet shards, PeerId to) {
  /** Returns the next move of a member, or null if it keeps all of its shards. */
  static ShardMove next(ClusterConfiguration configuration, PeerId self) {
    BitSet own = configuration.map().shardsOf(self);
    if (own.isEmpty()) {
      return null;
    }
    ShardMove toPinned = toPinned(configuration.pins(), own, self);
    return toPinned == null ? toShare(configuration, own, self) : toPinned;
  }

  private static ShardMove toPinned(ShardPins pins, BitSet own, PeerId self) {
    PeerId to = null;
    BitSet shards = new BitSet(LockShards.COUNT);
    for (ShardPins.Run run : pins.runs()) {
      if (!run.at().equals(self) && (to == null || to.equals(run.at()))) {
        BitSet given = own.get(run.first(), run.last() + 1);
        given.stream().forEach(shard -> shards.set(run.first() + shard));
        to = shards.isEmpty() ? null : run.at();
      }
    }
    return to == null ? null : new ShardMove(shards, to);
  }

  private static ShardMove toShare(ClusterConfiguration configuration, BitSet own, PeerId self) {
    List<PeerId> sharers = new ArrayList<>(configuration.owners());
    int shared = shared(sharers, configuration);
    boolean isSharer = sharers.contains(self);
    int least = shared / sharers.size();
    int share = isSharer ? least : (shared + sharers.size() - 1) / sharers.size();
    BitSet free = (BitSet) own.clone();
    free.andNot(configuration.pins().shards());
    int surplus = isSharer ? settled(configuration, self) - least : free.cardinality();
    for (PeerId other : sharers) {
      int given = Math.min(surplus, share - settled(configuration, other));
      if (given > 0 && !other.equals(self) && !free.isEmpty()) {
        return new ShardMove(evenly(free, given), other);
      }
    }
    return null;
  }

  /**
   * Returns the number of shards that a member owns once all pinned shards are at their members.
   */
  private static int settled(ClusterConfiguration configuration, PeerId member) {
    BitSet shards = configuration.map().shardsOf(member);
    shards.andNot(configuration.pins().shards());
    return shards.cardinality() + configuration.pins().count(member);
  }

  /**
   * Removes members from {@code sharers} that have more than an even share by pinned shards alone.
   */
  private static int shared(List<PeerId> sharers, ClusterConfiguration configuration) {
    ShardPins pins = configuration.pins();
    int shared = LockShards.COUNT;
    for (ClusterNode each : configuration.nodes()) {
      shared -= sharers.contains(each.id()) ? 0 : pins.count(each.id());
    }
    PeerId most = most(sharers, pins);
    while (pins.count(most) > shared / sharers.size()) {
      shared -= pins.count(most);
      sharers.remove(most);
      most = most(sharers, pins);
    }
    return shared;
  }

  private static PeerId most(List<PeerId> sharers, ShardPins pins) {
    return Collections.max(sharers, Comparator.comparingInt(pins::count));
  }

  /**
   * The shards are spread evenly over the larger set, because adjacent keys are often hot together.
   */
  private static BitSet evenly(BitSet shards, int wanted) {
    int all = shards.cardinality();
    int count = Math.min(wanted, all);
    BitSet result = new BitSet(LockShards.COUNT);
    int i = 0;
    for (int shard = shards.nextSetBit(0); shard >= 0; shard = shards.nextSetBit(shard + 1)) {
      result.set(shard, (i + 1) * count / all > i * count / all);
      i++;
    }
    return result;
  }
}
