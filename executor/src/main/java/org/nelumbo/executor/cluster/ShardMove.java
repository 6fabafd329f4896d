package org.nelumbo.executor.cluster;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.LockShards;

/**
 * What a member gives away, so that placed shards come to where they are to be, and the others are
 * shared evenly among those that own shards.
 *
 * @param shards that it owns, and gives
 * @param to the member that gets them
 */
record ShardMove(BitSet shards, PeerId to) {
  /** The next move of a member; null if it keeps what it has. */
  static ShardMove next(ClusterConfiguration configuration, PeerId self) {
    BitSet own = configuration.map().shardsOf(self);
    if (own.isEmpty()) {
      return null;
    }
    PeerId[] placed = configuration.placements().all();
    ShardMove toPlace = toPlace(placed, own, self);
    return toPlace == null ? toShare(configuration, placed, own, self) : toPlace;
  }

  private static ShardMove toPlace(PeerId[] placed, BitSet own, PeerId self) {
    PeerId to = null;
    BitSet shards = new BitSet(LockShards.COUNT);
    for (int shard = own.nextSetBit(0); shard >= 0; shard = own.nextSetBit(shard + 1)) {
      PeerId at = placed[shard];
      if (at != null && !at.equals(self) && (to == null || to.equals(at))) {
        to = at;
        shards.set(shard);
      }
    }
    return to == null ? null : new ShardMove(shards, to);
  }

  /** Of shards that are placed nowhere, some to somebody who has less than its share. */
  private static ShardMove toShare(
      ClusterConfiguration configuration, PeerId[] placed, BitSet own, PeerId self) {
    List<PeerId> sharers = new ArrayList<>(configuration.owners());
    int shared = shared(sharers, configuration, placed);
    boolean isSharer = sharers.contains(self);
    int least = shared / sharers.size();
    int share = isSharer ? least : (shared + sharers.size() - 1) / sharers.size();
    BitSet free = (BitSet) own.clone();
    own.stream().filter(shard -> placed[shard] != null).forEach(free::clear);
    PeerId[] owners = placed.clone(); // when all that is placed has come to where it is to be
    for (int shard = 0; shard < owners.length; shard++) {
      owners[shard] = owners[shard] == null ? configuration.map().owner(shard) : owners[shard];
    }
    int surplus = isSharer ? count(owners, self) - least : free.cardinality();
    for (PeerId other : sharers) {
      int given = Math.min(surplus, share - count(owners, other));
      if (given > 0 && !other.equals(self) && !free.isEmpty()) {
        return new ShardMove(evenly(free, given), other);
      }
    }
    return null;
  }

  /**
   * How many shards there are for those that share them; takes out of these whoever has more than
   * its share by what is placed there.
   */
  private static int shared(
      List<PeerId> sharers, ClusterConfiguration configuration, PeerId[] placed) {
    int shared = LockShards.COUNT;
    for (ClusterNode each : configuration.nodes()) {
      shared -= sharers.contains(each.id()) ? 0 : count(placed, each.id());
    }
    PeerId most = most(sharers, placed);
    while (count(placed, most) > shared / sharers.size()) {
      shared -= count(placed, most);
      sharers.remove(most);
      most = most(sharers, placed);
    }
    return shared;
  }

  private static PeerId most(List<PeerId> sharers, PeerId[] placed) {
    return Collections.max(
        sharers, (one, other) -> Integer.compare(count(placed, one), count(placed, other)));
  }

  private static int count(PeerId[] owners, PeerId member) {
    int count = 0;
    for (PeerId each : owners) {
      count += member.equals(each) ? 1 : 0;
    }
    return count;
  }

  /** Some shards out of more, spread over all of them: keys side by side are often hot together. */
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
