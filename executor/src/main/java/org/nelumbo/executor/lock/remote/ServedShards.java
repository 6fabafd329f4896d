package org.nelumbo.executor.lock.remote;

import java.util.BitSet;
import org.nelumbo.dm.peer.PeerId;

/**
 * The shards whose locks a compute node grants: the shards that it owns by a map, except those that
 * it has frozen because they are about to move. Immutable, replaced as a whole.
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

  /** Returns true if a shard is served that was not served before. */
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
   * Returns the served shards under another map. Frozen shards stay frozen, except those that have
   * left this compute node meanwhile, and may have returned.
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
