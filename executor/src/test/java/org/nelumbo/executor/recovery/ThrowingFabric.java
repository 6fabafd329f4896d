package org.nelumbo.executor.recovery;

import java.util.ArrayDeque;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;

/**
 * A fabric that throws a given exception once, in place of posting a verb, before or after a flush,
 * or within one; after that it works as before. If remote, verbs take effect at the flush, and
 * posted verbs stay posted when the exception is thrown. Not thread-safe.
 */
public final class ThrowingFabric extends ForwardingFabric {
  private final boolean remote;
  private long left = Long.MAX_VALUE;
  private Throwable thrown;
  private long calls;

  /** Creates a fabric that throws nothing yet. */
  public ThrowingFabric(Fabric pool, boolean remote) {
    super(pool);
    this.remote = remote;
  }

  /** Sets the exception, to be thrown after the given number of further points. */
  public void throwAfter(long places, Throwable what) {
    left = places;
    thrown = what;
  }

  /** Cancels the exception if it was not thrown yet. */
  public void calm() {
    left = Long.MAX_VALUE;
  }

  /** Returns the number of points passed at which an exception could be thrown. */
  public long places() {
    return calls;
  }

  private void place() {
    calls++;
    if (left-- == 0) {
      left = Long.MAX_VALUE;
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }
  }

  @Override
  public boolean isRemote() {
    return remote;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new ThrowingChannel(fabric.openChannel(stagingBytes));
  }

  @Override
  public void close() {}

  private final class ThrowingChannel extends InterceptedChannel {
    private final ArrayDeque<Runnable> posted = new ArrayDeque<>();

    ThrowingChannel(Channel channel) {
      super(channel);
    }

    @Override
    protected void post(long address, Runnable verb) {
      place();
      posted.add(verb);
      if (!remote) {
        run();
      }
    }

    @Override
    public void flush() {
      place();
      while (!posted.isEmpty()) {
        if (posted.size() % 3 == 1) {
          place();
        }
        run();
      }
      place();
    }

    private void run() {
      posted.remove().run();
      channel.flush();
    }
  }
}
