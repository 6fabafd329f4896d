package org.nelumbo.executor.timestamp;

import java.util.function.LongFunction;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.superblock.CommitVector;

/**
 * The clock of an exclusive pool, until it is shared: a {@link HybridClock} that hands over to the
 * pool's {@link SharedClock} at run time, while timestamps are drawn.
 *
 * <p>The handover takes these steps:
 *
 * <ol>
 *   <li>The counter is sealed: it returns no further timestamps, so its last one is known.
 *   <li>The commits that have drawn a timestamp before are awaited, until their cells have it.
 *   <li>The shared clock begins at the last timestamp. Threads that draw a timestamp meanwhile
 *       wait. No other compute node draws one before it.
 * </ol>
 *
 * So timestamps have one order across the handover.
 *
 * <p>Before the handover, the clock costs one comparison more than the {@link HybridClock}, and a
 * write to a {@link Tickets ticket} for each commit.
 */
public final class HandoverClock implements Clock {
  /** Counter values from here on are sealed. Timestamps have fewer bits. */
  private static final long SEALED = 1L << 62;

  private final Environment environment;
  private final HybridClock local;
  private final Tickets tickets = new Tickets();

  /** Null before the handover is complete. */
  private volatile SharedClock shared;

  private volatile boolean isBroken;

  public HandoverClock(Environment environment) {
    this.environment = environment;
    this.local = new HybridClock(environment);
  }

  /**
   * Hands over to the word of the pool. The pool is exclusive, and the caller does this once. If
   * this throws, later calls for timestamps throw a {@link FabricException}.
   *
   * @param channel channel to node 0
   * @param waiting environment of waits, which may throw to end them
   * @return the clock from now on, for the thread that keeps it near physical time
   */
  public SharedClock handOver(Channel channel, Environment waiting) {
    return handOver(
        waiting,
        last -> {
          PoolClock word = new PoolClock(environment);
          word.begin(channel, last);
          return word;
        });
  }

  /**
   * Hands over to a commit vector, as {@link #handOver(Channel, Environment)} does to the word.
   *
   * @param entry entry of this compute node in the table of compute nodes
   * @param nodeBytes bytes of node 0
   */
  public SharedClock handOverToVector(
      Channel channel, Environment waiting, int entry, long nodeBytes) {
    return handOver(
        waiting,
        last ->
            VectorClock.enter(
                environment, channel, CommitVector.create(channel, nodeBytes), entry, last));
  }

  private SharedClock handOver(Environment waiting, LongFunction<SharedClock> begin) {
    local.close();
    long last = local.seal(SEALED);
    try {
      tickets.awaitClosed(waiting);
      shared = begin.apply(last);
      return shared;
    } finally {
      isBroken = shared == null;
    }
  }

  private SharedClock shared() {
    SharedClock clock = shared;
    for (int attempt = 0; clock == null; attempt++) {
      if (isBroken) {
        throw new FabricException(0, "the clock could not be moved to the pool", null);
      }
      environment.backoff(attempt);
      clock = shared;
    }
    return clock;
  }

  /** Returns the shared clock; null before the handover. */
  private SharedClock sharedIfAny() {
    return local.now() < SEALED ? null : shared();
  }

  @Override
  public void start() {
    local.start();
  }

  @Override
  public long now() {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : shared().now();
  }

  @Override
  public long settled() {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : shared().settled();
  }

  @Override
  public long read(Channel channel) {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : shared().read(channel);
  }

  @Override
  public void read(Channel channel, Snapshot into) {
    long timestamp = local.now();
    if (timestamp < SEALED) {
      into.set(timestamp);
    } else {
      shared().read(channel, into);
    }
  }

  @Override
  public void readTentatively(Channel channel, Snapshot into) {
    SharedClock clock = shared;
    if (clock == null) {
      readSettled(channel, into);
    } else {
      clock.readTentatively(channel, into);
    }
  }

  @Override
  public void readCut(Channel channel, Environment waiting, Snapshot into) {
    SharedClock clock = shared;
    if (clock == null) {
      readSettled(channel, into);
    } else {
      clock.readCut(channel, waiting, into);
    }
  }

  @Override
  public long retirement(Channel channel) {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : shared().retirement(channel);
  }

  @Override
  public long barrier(Channel channel, Environment waiting) {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : shared().barrier(channel, waiting);
  }

  @Override
  public long next(Channel channel) {
    long timestamp = local.next();
    return timestamp < SEALED ? timestamp : shared().next(channel);
  }

  @Override
  public long next(Channel channel, int slot) {
    if (local.now() < SEALED) {
      tickets.open(slot, 0);
      long timestamp = local.next();
      if (timestamp < SEALED) {
        return timestamp;
      }
      tickets.close(slot);
    }
    return shared().next(channel, slot);
  }

  @Override
  public int postNext(Channel channel, int node) {
    return local.now() < SEALED ? -1 : shared().postNext(channel, node);
  }

  @Override
  public long drawn(Channel channel, int posted) {
    return shared().drawn(channel, posted);
  }

  @Override
  public boolean publishes() {
    SharedClock clock = shared;
    return clock != null && clock.publishes();
  }

  @Override
  public void raiseAbove(long timestamp) {
    SharedClock clock = sharedIfAny();
    if (clock != null) {
      clock.raiseAbove(timestamp);
    }
  }

  @Override
  public void landed(int slot) {
    SharedClock clock = shared;
    if (clock == null || !clock.publishes()) {
      tickets.close(slot);
    } else {
      clock.landed(slot);
    }
  }

  @Override
  public void publish(Channel channel, Environment waiting, long timestamp) {
    SharedClock clock = shared;
    if (clock != null) {
      clock.publish(channel, waiting, timestamp);
    }
  }

  @Override
  public void raiseTo(long timestamp) {
    SharedClock clock = sharedIfAny();
    if (clock == null) {
      local.raiseTo(timestamp);
    } else {
      clock.raiseTo(timestamp);
    }
  }

  @Override
  public void close() {
    local.close();
  }
}
