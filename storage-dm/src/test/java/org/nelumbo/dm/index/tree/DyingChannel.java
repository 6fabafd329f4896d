package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.fabric.Channel;

/** A channel of a coordinator that dies before one of its verbs. */
final class DyingChannel extends Channel {
  /** The coordinator is dead. */
  static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Channel channel;
  private long left = Long.MAX_VALUE;

  DyingChannel(Channel channel) {
    super(channel.staging());
    this.channel = channel;
  }

  void dieAfter(long verbs) {
    left = verbs;
  }

  private Channel next() {
    if (left-- <= 0) {
      throw new Death();
    }
    return channel;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    next().read(address, stagingOffset, length);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    next().write(address, stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    next().writeLong(address, value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    next().compareAndSwap(address, expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    next().fetchAndAdd(address, delta, stagingOffset);
  }

  @Override
  public void flush() {
    channel.flush();
  }

  @Override
  public void close() {}
}
