package org.nelumbo.executor.timestamp;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;

/**
 * Clock of a compute node that has a pool alone, until it begins to share it: a {@link HybridClock}
 * that hands over to the pool's {@link PoolClock} at run time, while timestamps are drawn.
 *
 * <p>The counter is sealed first: from then on it gives no timestamp, so what it has given last is
 * known. That goes into the pool's word. Who draws in between waits for it, one round trip long.
 * Until then nobody else draws from the pool. So the order is one, over the moment of handing over.
 *
 * <p>Before that, it costs a comparison more than the {@link HybridClock}.
 */
public final class HandoverClock implements Clock {
  /** Counters from here on are sealed. Timestamps have fewer bits. */
  private static final long SEALED = 1L << 62;

  private final Environment environment;
  private final HybridClock local;
  private final PoolClock pool;

  /** Whether the pool's word has been written; after the seal. */
  private volatile boolean isHandedOver;

  /** It will never be: no timestamp is drawn any more. */
  private volatile boolean isBroken;

  public HandoverClock(Environment environment) {
    this.environment = environment;
    this.local = new HybridClock(environment);
    this.pool = new PoolClock(environment);
  }

  /**
   * Hands over to the pool. The caller has the pool alone, and does this once. If something is
   * thrown, whoever asks for a timestamp afterwards gets a {@link FabricException}.
   *
   * @param channel to node 0
   * @return the clock from now on, for whoever keeps it near physical time
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
        throw new FabricException(0, "the clock could not be handed over to the pool", null);
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
