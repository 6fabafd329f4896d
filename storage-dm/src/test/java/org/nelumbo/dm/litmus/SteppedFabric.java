package org.nelumbo.dm.litmus;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;

/**
 * A fabric whose channels call a step before each verb and each flush, so that an {@link
 * Interleaving} can switch actors there. It is meant for index and transaction code that shares
 * pool memory.
 */
public final class SteppedFabric extends ForwardingFabric {
  private final Runnable step;

  /**
   * @param step action before each verb, usually {@code interleaving::step}
   */
  public SteppedFabric(Fabric fabric, Runnable step) {
    super(fabric);
    this.step = step;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new SteppedChannel(fabric.openChannel(stagingBytes));
  }

  private final class SteppedChannel extends InterceptedChannel {
    SteppedChannel(Channel channel) {
      super(channel);
    }

    @Override
    protected void post(long address, Runnable verb) {
      step.run();
      verb.run();
    }

    @Override
    public void flush() {
      step.run();
      channel.flush();
    }
  }
}
