package org.nelumbo.executor.lock.remote;

import java.util.BitSet;
import org.nelumbo.dm.peer.PeerId;

/**
 * The shards whose locks a compute node grants: those that it owns by a map, without those that it
 * has frozen since they are to move. Immutable, replaced whole.
 */
final class ServedShards {
  private final ShardMap map;
  private final PeerId self;
  private final BitSet frozen;
  private final long[] served;

  ServedShards(ShardMap map, PeerId self, BitSet frozen) {
    this.map = map;
    this.self = self;
    BitSet owned = map.shardsOf(self);
    this.frozen = (BitSet) frozen.clone();
    this.frozen.and(owned);
    owned.andNot(frozen);
    this.served = new long[LockShards.COUNT / Long.SIZE];
    owned.stream().forEach(shard -> served[shard / Long.SIZE] |= 1L << shard);
  }

  ShardMap map() {
    return map;
  }

  boolean isServed(int shard) {
    return (served[shard / Long.SIZE] & 1L << shard) != 0;
  }

  /** Whether there is a shard that is served, and was not. */
  boolean servesMoreThan(ServedShards before) {
    boolean isMore = false;
    for (int i = 0; i < served.length; i++) {
      isMore |= (served[i] & ~before.served[i]) != 0;
    }
    return isMore;
  }

  BitSet frozen() {
    return (BitSet) frozen.clone();
  }

  /**
   * With another map; what was frozen stays frozen, unless the shard has gone meanwhile, and has
   * come back perhaps.
   */
  ServedShards with(ShardMap next) {
    BitSet still = frozen();
    frozen.stream()
        .filter(shard -> next.since(shard) > map.epoch())
        .forEach(shard -> still.clear(shard));
    return new ServedShards(next, self, still);
  }

  ServedShards frozen(BitSet shards) {
    BitSet all = frozen();
    all.or(shards);
    return new ServedShards(map, self, all);
  }

  ServedShards thawed(BitSet shards) {
    BitSet rest = frozen();
    rest.andNot(shards);
    return new ServedShards(map, self, rest);
  }
}
