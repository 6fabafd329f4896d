package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.fabric.Channel;

/**
 * A channel of a coordinator that dies after a number of verbs; the last WRITE may get through in
 * part.
 */
final class CrashingChannel extends Channel {
  /** The coordinator is dead. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Channel channel;
  private final boolean tearing;
  private long verbsLeft = Long.MAX_VALUE;
  private long verbs;

  CrashingChannel(Channel channel, boolean tearing) {
    super(channel.staging());
    this.channel = channel;
    this.tearing = tearing;
  }

  void crashAfter(long count) {
    verbsLeft = count;
  }

  long verbs() {
    return verbs;
  }

  private boolean isLast() {
    return verbsLeft == 0;
  }

  private void count() {
    if (verbsLeft-- <= 0) {
      throw new Crash();
    }
    verbs++;
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    count();
    channel.read(address, stagingOffset, length);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    if (tearing && isLast()) {
      channel.write(address, stagingOffset, length / 16 * 8);
    }
    count();
    channel.write(address, stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    count();
    channel.writeLong(address, value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    count();
    channel.compareAndSwap(address, expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    count();
    channel.fetchAndAdd(address, delta, stagingOffset);
  }

  @Override
  public void flush() {
    channel.flush();
  }

  @Override
  public void close() {}
}
