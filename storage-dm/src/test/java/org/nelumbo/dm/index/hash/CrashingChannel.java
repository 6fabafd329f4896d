package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;

/**
 * A channel of a coordinator that crashes after a number of verbs. The last WRITE may be executed
 * in part.
 */
final class CrashingChannel extends InterceptedChannel {
  /** Thrown when the coordinator crashes. */
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
      channel.flush(); // posted verbs are executed before the channel is used again
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
