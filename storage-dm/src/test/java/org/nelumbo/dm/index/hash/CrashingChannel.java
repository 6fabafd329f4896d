package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;

/**
 * A channel of a coordinator that dies after a number of verbs; the last WRITE may get through in
 * part.
 */
final class CrashingChannel extends InterceptedChannel {
  /** The coordinator is dead. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final boolean tearing;
  private long verbsLeft = Long.MAX_VALUE;
  private long verbs;

  CrashingChannel(Channel channel, boolean tearing) {
    super(channel);
    this.tearing = tearing;
  }

  void crashAfter(long count) {
    verbsLeft = count;
  }

  long verbs() {
    return verbs;
  }

  @Override
  protected void post(long address, Runnable verb) {
    if (verbsLeft-- <= 0) {
      channel.flush(); // what was posted is done before anybody else uses the channel
      throw new Crash();
    }
    verbs++;
    verb.run();
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    if (tearing && verbsLeft == 0) {
      channel.write(address, stagingOffset, length / 16 * 8);
    }
    super.write(address, stagingOffset, length);
  }

  @Override
  public void close() {}
}
