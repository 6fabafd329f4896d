package org.nelumbo.dm.litmus;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.ForwardingChannel;
import org.nelumbo.dm.fabric.ForwardingFabric;

/**
 * A fabric whose channels step before each verb and each flush, so that an {@link Interleaving} can
 * switch actors there: for index and transaction code that meets at pool memory.
 */
public final class SteppedFabric extends ForwardingFabric {
  private final Runnable step;

  /**
   * @param step usually {@code interleaving::step}
   */
  public SteppedFabric(Fabric fabric, Runnable step) {
    super(fabric);
    this.step = step;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new SteppedChannel(fabric.openChannel(stagingBytes));
  }

  private final class SteppedChannel extends ForwardingChannel {

    SteppedChannel(Channel channel) {
      super(channel);
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      step.run();
      channel.read(address, stagingOffset, length);
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      step.run();
      channel.write(address, stagingOffset, length);
    }

    @Override
    public void writeLong(long address, long value) {
      step.run();
      channel.writeLong(address, value);
    }

    @Override
    public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
      step.run();
      channel.compareAndSwap(address, expected, replacement, stagingOffset);
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      step.run();
      channel.fetchAndAdd(address, delta, stagingOffset);
    }

    @Override
    public void flush() {
      step.run();
      channel.flush();
    }
  }
}
