package org.nelumbo.executor.cluster;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.remote.ClusterLocks;

/**
 * Balancer of one member's shards: gives other members those that they are to have. For the thread
 * of the follower, except where a method says otherwise.
 */
final class ShardBalancer {
  /** Drain times after which shards whose locks do not come free stay where they are. */
  private static final int DRAINS_MAX = 8;

  private final Environment environment;
  private final ConfigurationFollower follower;
  private final ClusterLocks locks;
  private final PeerId id;
  private final long pollNanos;
  private final long drainNanos;

  /** Earliest time of the next move, after one for which some locks did not come free. */
  private long balanceAfter;

  /** Epoch of the last map of which this member has given away all that others are to have. */
  private volatile long balancedEpoch = -1;

  private final AtomicLong movedShards = new AtomicLong();

  /**
   * A balancer.
   *
   * @param pollNanos between two looks whether locks have come free
   * @param drainNanos until transactions that hold locks of moving shards are told to end
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

  /** Returns the number of shards that were given away; for any thread. */
  long movedShards() {
    return movedShards.get();
  }

  /** Returns true if others have all that they are to have by a map; for any thread. */
  boolean isBalanced(long epoch) {
    return balancedEpoch == epoch;
  }

  /** Gives away shards if the map has changed and is settled here. */
  void balanceIfDue() {
    boolean isDue = environment.nanoTime() - balanceAfter >= 0;
    long epoch = follower.known().map().epoch();
    if (isDue && follower.isSettled() && epoch != balancedEpoch && balance()) {
      balancedEpoch = epoch; // of the map before, if something has moved
    }
  }

  /** Makes the next move; false if not all of its shards come free in time. */
  private boolean balance() {
    ShardMove next = ShardMove.next(follower.known(), id);
    return next == null || move(next.shards(), next.to());
  }

  /**
   * Gives shards to another member; false if the locks of some do not come free in time. Those stay
   * here, and are not moved again before as much time has passed: meanwhile transactions can lock
   * what is in them.
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
        locks.doomHolders(shards);
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
    locks.thaw(shards); // what has moved is not this one's any more
    if (!free.equals(shards)) {
      balanceAfter = environment.nanoTime() + waited;
      return false;
    }
    return true;
  }
}
