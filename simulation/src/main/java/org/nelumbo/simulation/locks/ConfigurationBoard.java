package org.nelumbo.simulation.locks;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.nelumbo.dm.peer.PeerId;
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
  private long lastRemoval;
  private final List<PeerId> recovered = new ArrayList<>();
  private final Set<PeerId> recovering = new HashSet<>();
  private final Map<PeerId, Long> drained = new HashMap<>();
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
      recovering.add(member);
      set(map.without(member));
      lastRemoval = map.epoch();
    }
  }

  /** The transactions of a member that was removed are completed or undone. */
  void recover(PeerId gone) {
    ledger.recovered(gone);
    recovering.remove(gone);
    recovered.add(gone);
    giveAway();
  }

  /** All that are fenced and recovered, in this order. */
  List<PeerId> recovered() {
    return recovered;
  }

  /** No transaction of a member that relies on a lost shard is committing. */
  void reportDrained(PeerId member, long epoch) {
    drained.put(member, epoch);
    giveAway();
  }

  /** Shards that nobody owns get owners when nothing that relies on the last one can commit. */
  private void giveAway() {
    BitSet ownerless = map.ownerless();
    if (ownerless.isEmpty() || !recovering.isEmpty() || map.members().isEmpty()) {
      return;
    }
    for (PeerId each : map.members()) {
      if (drained.getOrDefault(each, 0L) < lastRemoval) {
        return;
      }
    }
    set(map.given(ownerless, map.members().get(random.nextInt(map.members().size()))));
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
