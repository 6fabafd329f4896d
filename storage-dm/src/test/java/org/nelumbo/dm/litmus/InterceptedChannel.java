package org.nelumbo.dm.litmus;

import org.nelumbo.dm.pool.Channel;

/**
 * A channel whose verbs all come by one place, where they may be done, put off, counted, or fail;
 * in the staging buffer of the channel that does them. Hints are not passed on.
 */
public abstract class InterceptedChannel extends Channel {
  /** Does the verbs. */
  protected final Channel channel;

  protected InterceptedChannel(Channel channel) {
    super(channel.staging());
    this.channel = channel;
  }

  /**
   * A verb is posted.
   *
   * @param address in the pool that it reads or writes
   * @param verb posts it on the channel that does it
   */
  protected abstract void post(long address, Runnable verb);

  @Override
  public void read(long address, int stagingOffset, int length) {
    post(address, () -> channel.read(address, stagingOffset, length));
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    post(address, () -> channel.write(address, stagingOffset, length));
  }

  @Override
  public void writeLong(long address, long value) {
    post(address, () -> channel.writeLong(address, value));
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    post(address, () -> channel.compareAndSwap(address, expected, replacement, stagingOffset));
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    post(address, () -> channel.fetchAndAdd(address, delta, stagingOffset));
  }

  @Override
  public boolean canDigest() {
    return channel.canDigest();
  }

  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    post(address, () -> channel.digest(address, length, keyFirst, keySecond, stagingOffset));
  }

  @Override
  public void flush() {
    channel.flush();
  }

  @Override
  public void close() {
    channel.close();
  }
}
