package org.nelumbo.dm.litmus;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;

/**
 * A fabric whose channels step before each verb and each flush, so that an {@link Interleaving} can
 * switch actors there: for index and transaction code that meets at pool memory.
 */
public final class SteppedFabric implements Fabric {
  private final Fabric fabric;
  private final Runnable step;

  /**
   * @param step usually {@code interleaving::step}
   */
  public SteppedFabric(Fabric fabric, Runnable step) {
    this.fabric = fabric;
    this.step = step;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new SteppedChannel(fabric.openChannel(stagingBytes));
  }

  @Override
  public int nodeCount() {
    return fabric.nodeCount();
  }

  @Override
  public long nodeBytes(int node) {
    return fabric.nodeBytes(node);
  }

  @Override
  public boolean isRemote() {
    return fabric.isRemote();
  }

  @Override
  public void close() {
    fabric.close();
  }

  private final class SteppedChannel extends Channel {
    private final Channel channel;

    SteppedChannel(Channel channel) {
      super(channel.staging());
      this.channel = channel;
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

    @Override
    public void close() {
      channel.close();
    }
  }
}
