package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;

/**
 * The clock of an exclusive pool, until it is shared: a {@link HybridClock} that hands over to the
 * pool's {@link PoolClock} at run time, while timestamps are drawn.
 *
 * <p>The handover takes these steps:
 *
 * <ol>
 *   <li>The counter is sealed: it returns no further timestamps, so its last one is known.
 *   <li>The last timestamp is written to the pool's clock word. Threads that draw a timestamp
 *       meanwhile wait for that write, for one round trip. No other compute node draws from the
 *       pool before it.
 * </ol>
 *
 * So timestamps have one order across the handover.
 *
 * <p>Before the handover, the clock costs one comparison more than the {@link HybridClock}.
 */
public final class HandoverClock implements Clock {
  /** Counter values from here on are sealed. Timestamps have fewer bits. */
  private static final long SEALED = 1L << 62;

  private final Environment environment;
  private final HybridClock local;
  private final PoolClock pool;

  /** True after the pool's word has been written, which happens after the seal. */
  private volatile boolean isHandedOver;

  private volatile boolean isBroken;

  public HandoverClock(Environment environment) {
    this.environment = environment;
    this.local = new HybridClock(environment);
    this.pool = new PoolClock(environment);
  }

  /**
   * Hands over to the pool. The pool is exclusive, and the caller does this once. If this throws,
   * later calls for timestamps throw a {@link FabricException}.
   *
   * @param channel channel to node 0
   * @return the clock from now on, for the thread that keeps it near physical time
   */
  public PoolClock handOver(Channel channel) {
    local.close();
    long last = local.seal(SEALED);
    try {
      pool.begin(channel, last);
      isHandedOver = true;
      return pool;
    } finally {
      isBroken = !isHandedOver;
    }
  }

  private PoolClock pool() {
    for (int attempt = 0; !isHandedOver; attempt++) {
      if (isBroken) {
        throw new FabricException(0, "the clock could not be moved to the pool", null);
      }
      environment.backoff(attempt);
    }
    return pool;
  }

  @Override
  public void start() {
    local.start();
  }

  @Override
  public long now() {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : pool().now();
  }

  @Override
  public long read(Channel channel) {
    long timestamp = local.now();
    return timestamp < SEALED ? timestamp : pool().read(channel);
  }

  @Override
  public long next(Channel channel) {
    long timestamp = local.next();
    return timestamp < SEALED ? timestamp : pool().next(channel);
  }

  @Override
  public int postNext(Channel channel, int node) {
    return local.now() < SEALED ? -1 : pool().postNext(channel, node);
  }

  @Override
  public long drawn(Channel channel, int posted) {
    return posted < 0 ? next(channel) : pool.drawn(channel, posted);
  }

  @Override
  public void raiseTo(long timestamp) {
    if (local.now() < SEALED) {
      local.raiseTo(timestamp);
    } else {
      pool().raiseTo(timestamp);
    }
  }

  @Override
  public void close() {
    local.close();
  }
}
