package org.nelumbo.simulation.locks;

import java.util.BitSet;
import java.util.List;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.OrphanedShards;
import org.nelumbo.executor.lock.remote.ShardMap;
import org.nelumbo.simulation.world.SimRandom;

/**
 * The agreed configuration of a simulated cluster, at one place: the shard map, and how far the
 * removal of dead members has come. Changes take no time; to hear of them does.
 */
final class ConfigurationBoard {
  private final LockLedger ledger;
  private final SimRandom random;
  private ShardMap map;
  private final OrphanedShards orphaned = new OrphanedShards();
  private long changes;

  ConfigurationBoard(LockLedger ledger, SimRandom random, ShardMap first) {
    this.ledger = ledger;
    this.random = random;
    this.map = first;
  }

  ShardMap map() {
    return map;
  }

  long changes() {
    return changes;
  }

  private void set(ShardMap next) {
    map = next;
    changes++;
  }

  void join(PeerId member) {
    set(map.with(member));
  }

  /** A member is fenced, and is none any more. */
  void remove(PeerId member) {
    if (map.isMember(member)) {
      ledger.fence(member);
      set(map.without(member));
      orphaned.removed(member, map.epoch());
    }
  }

  /** The transactions of a member that was removed are completed or undone. */
  void recover(PeerId gone) {
    ledger.recovered(gone);
    orphaned.recovered(gone);
    giveAway();
  }

  /** All whose locks may be released, in this order. */
  List<PeerId> releasable() {
    return orphaned.releasable();
  }

  /** No transaction of a member that relies on a lost shard is committing. */
  void reportDrained(PeerId member, long epoch) {
    orphaned.drained(member, epoch);
    giveAway();
  }

  /** Shards that nobody owns get owners when nothing that relies on the last one can commit. */
  private void giveAway() {
    BitSet ownerless = map.ownerless();
    boolean isWanted = !ownerless.isEmpty() && !map.members().isEmpty();
    if (isWanted && orphaned.mayGiveAway(map)) {
      set(map.given(ownerless, map.members().get(random.nextInt(map.members().size()))));
    }
  }

  /** An owner gives shards to another member; false if one of them is none any more. */
  boolean move(BitSet shards, PeerId from, PeerId to) {
    boolean isOwner = shards.stream().allMatch(shard -> from.equals(map.owner(shard)));
    if (!isOwner || !map.isMember(to) || ledger.isFenced(from)) {
      return false;
    }
    set(map.given(shards, to));
    return true;
  }
}
