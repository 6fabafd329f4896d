package org.nelumbo.executor.latency;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.ForwardingChannel;

/**
 * A channel to memory nodes whose round trips are timed. Two clock readings, about 50 ns, are
 * negligible for round trips of many microseconds; not for memory of this machine.
 */
public final class TimedChannel extends ForwardingChannel {
  private final Environment environment;
  private final LatencyHistogram flushes;

  public TimedChannel(Channel channel, Environment environment, LatencyHistogram flushes) {
    super(channel);
    this.environment = environment;
    this.flushes = flushes;
  }

  @Override
  public void flush() {
    long start = environment.nanoTime();
    channel.flush();
    flushes.record(environment.nanoTime() - start);
  }

  @Override
  public void flushRaised() {
    long start = environment.nanoTime();
    channel.flushRaised();
    flushes.record(environment.nanoTime() - start);
  }

  @Override
  public void flushLogged() {
    long start = environment.nanoTime();
    channel.flushLogged();
    flushes.record(environment.nanoTime() - start);
  }
}
