package org.nelumbo.dm.litmus;

import org.nelumbo.dm.pool.Channel;

/**
 * A channel that passes each verb to one method, which can execute, delay, count or fail it. Verbs
 * use the staging buffer of the underlying channel. Hints are not forwarded.
 */
public abstract class InterceptedChannel extends Channel {
  /** The channel that executes the verbs. */
  protected final Channel channel;

  protected InterceptedChannel(Channel channel) {
    super(channel.staging());
    this.channel = channel;
  }

  /**
   * Handles a verb.
   *
   * @param address pool address that the verb reads or writes
   * @param verb posts the verb on the underlying channel
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
