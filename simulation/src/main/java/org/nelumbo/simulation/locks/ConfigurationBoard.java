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
public final class ConfigurationBoard {
  /** Is told what becomes of members. */
  public interface Listener {
    /** What the compute node does from now on has no effect. */
    void fence(PeerId node);

    boolean isFenced(PeerId node);

    /** A fenced compute node is recovered: its transactions are over. */
    void recovered(PeerId node);
  }

  private final Listener ledger;
  private final SimRandom random;
  private ShardMap map;
  private final OrphanedShards orphaned = new OrphanedShards();
  private long changes;

  public ConfigurationBoard(Listener ledger, SimRandom random, ShardMap first) {
    this.ledger = ledger;
    this.random = random;
    this.map = first;
  }

  public ShardMap map() {
    return map;
  }

  long changes() {
    return changes;
  }

  private void set(ShardMap next) {
    map = next;
    changes++;
  }

  public void join(PeerId member) {
    set(map.with(member));
  }

  /** The first member owns all shards. */
  public void found(PeerId member) {
    set(map.given(map.ownerless(), member));
  }

  /** A member is fenced, and is none any more. */
  public void remove(PeerId member) {
    if (map.isMember(member)) {
      ledger.fence(member);
      set(map.without(member));
      orphaned.removed(member, map.epoch());
    }
  }

  /** The transactions of a member that was removed are completed or undone. */
  public void recover(PeerId gone) {
    ledger.recovered(gone);
    orphaned.recovered(gone);
    giveAway();
  }

  /** All whose locks may be released, in this order. */
  public List<PeerId> releasable() {
    return orphaned.releasable();
  }

  /** No transaction of a member that relies on a lost shard is committing. */
  public void reportDrained(PeerId member, long epoch) {
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
  public boolean move(BitSet shards, PeerId from, PeerId to) {
    boolean isOwner = shards.stream().allMatch(shard -> from.equals(map.owner(shard)));
    if (!isOwner || !map.isMember(to) || ledger.isFenced(from)) {
      return false;
    }
    set(map.given(shards, to));
    return true;
  }
}
