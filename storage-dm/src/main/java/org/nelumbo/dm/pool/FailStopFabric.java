package org.nelumbo.dm.pool;

/**
 * A fabric that is lost as a whole: once a flush of one channel has failed, no verb of any channel
 * is sent any more, and all flushes fail.
 *
 * <p>A compute node has several connections to the pool. If one is lost, what its coordinators were
 * writing is half done until the pool is recovered: rows without a timestamp, some of a commit's
 * rows visible, latches held. The other coordinators must neither read that nor wait for it,
 * although their own connections work. And nobody may tidy up: the log of a commit that is half
 * visible, say, which decides about its other half.
 */
public final class FailStopFabric extends ForwardingFabric {
  private volatile FabricException failure;

  public FailStopFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new FailStopChannel(fabric.openChannel(stagingBytes));
  }

  /** Its verbs are those of the channel inside; its flushes may fail before them. */
  private final class FailStopChannel extends ForwardingChannel {

    FailStopChannel(Channel channel) {
      super(channel);
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      if (failure == null) {
        try {
          channel.read(address, stagingOffset, length);
        } catch (FabricException e) {
          throw lost(e);
        }
      }
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      if (failure == null) {
        try {
          channel.write(address, stagingOffset, length);
        } catch (FabricException e) {
          throw lost(e);
        }
      }
    }

    @Override
    public void writeLong(long address, long value) {
      if (failure == null) {
        try {
          channel.writeLong(address, value);
        } catch (FabricException e) {
          throw lost(e);
        }
      }
    }

    @Override
    public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
      if (failure == null) {
        try {
          channel.compareAndSwap(address, expected, replacement, stagingOffset);
        } catch (FabricException e) {
          throw lost(e);
        }
      }
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      if (failure == null) {
        try {
          channel.fetchAndAdd(address, delta, stagingOffset);
        } catch (FabricException e) {
          throw lost(e);
        }
      }
    }

    @Override
    public void flush() {
      FabricException lost = failure;
      if (lost != null) {
        throw new FabricException(lost.node(), "the pool is lost since a flush failed", lost);
      }
      try {
        channel.flush();
      } catch (FabricException e) {
        throw lost(e);
      }
    }

    /** A full batch is sent when a verb is posted, so that may fail, too. */
    private FabricException lost(FabricException e) {
      failure = e;
      return e;
    }
  }
}
