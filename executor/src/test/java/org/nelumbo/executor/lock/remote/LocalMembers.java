package org.nelumbo.executor.lock.remote;

import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.engine.Membership;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.timestamp.Clock;

/**
 * Compute nodes of one JVM that share the locks of a pool. A new shard map takes effect on all of
 * them at once.
 */
public final class LocalMembers {
  private static final long PATIENCE_NANOS = 20_000_000;

  private final Environment environment;
  private final LocalPeers peers = new LocalPeers();
  private final Map<PeerId, ClusterLocks> members = new LinkedHashMap<>();
  private ShardMap map;
  private long lastTenant;

  public LocalMembers(Environment environment) {
    this.environment = environment;
  }

  /** Returns the membership of one more compute node. */
  public Membership membership() {
    return new Membership() {
      private PeerId id;

      @Override
      public long tenant() {
        return ++lastTenant;
      }

      @Override
      public ClusterLocks enter(
          ComputeNodeEntry node,
          Clock clock,
          LockTable table,
          OwnedCopies copies,
          Consumer<Throwable> onBroken) {
        id = new PeerId(node.entry(), node.number());
        install(map == null ? ShardMap.first(1, List.of(id)) : map.with(id));
        ClusterLocks locks =
            new ClusterLocks(
                environment, table, peers.of(id), map, copies, PATIENCE_NANOS, _ -> {}, onBroken);
        members.put(id, locks);
        return locks;
      }

      @Override
      public void retire() {
        // no recovery in these tests
      }

      @Override
      public void leave() {
        if (members.remove(id) != null) {
          BitSet own = map.shardsOf(id);
          if (!members.isEmpty()) {
            install(map.given(own, members.keySet().iterator().next()));
          }
          install(map.without(id));
        }
      }

      @Override
      public void stop() {
        members.remove(id);
      }

      @Override
      public void close() {
        stop();
      }
    };
  }

  /** Returns the number of lock requests so far, including ends of transactions. */
  public int requests() {
    return peers.requests();
  }

  /** Removes the last member as failed; its shards have no owner afterwards. */
  public void removeLast() {
    PeerId last = List.copyOf(members.keySet()).getLast();
    members.remove(last);
    install(map.without(last));
  }

  private void install(ShardMap next) {
    map = next;
    members.values().forEach(each -> each.install(next));
  }

  /** Assigns all shards to the members in turn. No lock may be held. */
  public void shareOut() {
    List<PeerId> all = List.copyOf(members.keySet());
    for (int i = 0; i < all.size(); i++) {
      int place = i;
      BitSet shards = new BitSet();
      IntStream.range(0, LockShards.COUNT)
          .filter(shard -> shard % all.size() == place)
          .forEach(shards::set);
      install(map.given(shards, all.get(i)));
    }
  }
}
