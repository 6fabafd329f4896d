package org.nelumbo.executor.cluster;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.ClusterLocks;

/**
 * Moves shards of one member to the members that should own them. Confined to the thread of the
 * follower, except where a method says otherwise.
 */
final class ShardBalancer {
  /** Number of drain times after which shards whose locks are still held stay where they are. */
  private static final int DRAINS_MAX = 8;

  private final Environment environment;
  private final ConfigurationFollower follower;
  private final ClusterLocks locks;
  private final PeerId id;
  private final long pollNanos;
  private final long drainNanos;

  /** Earliest time of the next move, after one for which some locks were not released. */
  private long balanceAfter;

  private volatile long balancedEpoch = -1;

  private final AtomicLong movedShards = new AtomicLong();

  /**
   * Creates a balancer.
   *
   * @param pollNanos time between two checks of the locks
   * @param drainNanos time after which transactions that hold locks of moving shards receive abort
   *     requests
   */
  ShardBalancer(
      Environment environment,
      ConfigurationFollower follower,
      ClusterLocks locks,
      PeerId id,
      long pollNanos,
      long drainNanos) {
    this.environment = environment;
    this.follower = follower;
    this.locks = locks;
    this.id = id;
    this.pollNanos = pollNanos;
    this.drainNanos = drainNanos;
    this.balanceAfter = environment.nanoTime();
  }

  /** Returns the number of shards that were given away. For any thread. */
  long movedShards() {
    return movedShards.get();
  }

  /**
   * Returns true if this member has given away all shards that others should own by a map. For any
   * thread.
   */
  boolean isBalanced(long epoch) {
    return balancedEpoch == epoch;
  }

  /** Moves shards if the map has changed and is settled by this member. */
  void balanceIfDue() {
    boolean isDue = environment.nanoTime() - balanceAfter >= 0;
    long epoch = follower.known().map().epoch();
    if (isDue && follower.isSettled() && epoch != balancedEpoch && balance()) {
      balancedEpoch = epoch; // epoch of the previous map, if a shard has moved
    }
  }

  /** Returns false if not all of the move's shards become free in time. */
  private boolean balance() {
    ShardMove next = ShardMove.next(follower.known(), id);
    return next == null || move(next.shards(), next.to());
  }

  /**
   * Moves shards to another member; returns false if the locks of some are not released in time.
   * These shards stay, and are not moved again for as long as the attempt took. Meanwhile
   * transactions can acquire locks in them.
   */
  boolean move(BitSet shards, PeerId to) {
    locks.freeze(shards);
    long start = environment.nanoTime();
    long patience = DRAINS_MAX * drainNanos;
    long waited = 0;
    BitSet free = locks.free(shards);
    while (!free.equals(shards) && follower.known().isMember(to) && waited < patience) {
      environment.parkNanos(pollNanos);
      follower.hear();
      waited = environment.nanoTime() - start;
      if (waited > drainNanos) {
        locks.abortHolders(shards);
      }
      free = locks.free(shards);
    }
    if (!free.isEmpty()) {
      BitSet moving = free;
      follower.install(follower.change(latest -> latest.moved(moving, id, to)));
      BitSet left = follower.known().map().shardsOf(id);
      left.and(moving);
      movedShards.addAndGet(moving.cardinality() - left.cardinality());
    }
    locks.thaw(shards); // moved shards belong to another member now
    if (!free.equals(shards)) {
      balanceAfter = environment.nanoTime() + waited;
      return false;
    }
    return true;
  }
}
