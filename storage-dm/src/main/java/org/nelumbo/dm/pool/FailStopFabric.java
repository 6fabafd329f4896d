package org.nelumbo.dm.pool;

import java.util.function.LongSupplier;

/**
 * A fabric that fails as a whole: once a flush of one channel has failed, no channel sends a verb
 * again, and all flushes fail.
 *
 * <p>A compute node has several connections to the pool. If one is lost, the writes of its
 * coordinators stay half done until the pool is recovered: rows without a timestamp, commits of
 * which only some rows are visible, latches that are held. The other coordinators must neither read
 * this data nor wait for it, although their own connections work. They must not clean up either:
 * they could remove the log of a half-visible commit, which decides about its other half.
 *
 * <p>An error of the JVM (no heap, no stack) between the posting of a write and the end of its
 * flush has the same consequence. If only READs were posted, the error costs only these: they are
 * given up.
 */
public final class FailStopFabric extends ForwardingFabric {
  private static final String HALF_DONE =
      "the pool is lost: an error of this process interrupted a change of it";

  /** Failure for which no heap is left to create a better one. */
  @SuppressWarnings("StaticAssignmentOfThrowable") // cannot be created when it is needed
  private static final FabricException NO_HEAP =
      new FabricException(HALF_DONE + ", and there was not enough heap to describe it", null);

  private volatile FabricException failure;

  /** The methods of a channel that flush. */
  private enum FlushKind {
    PLAIN,
    LOGGED,
    RAISED
  }

  public FailStopFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    checkNotLost(); // the thread that lost the pool closes it; the others get the reason
    Channel channel = fabric.openChannel(stagingBytes);
    try {
      return new FailStopChannel(channel);
    } catch (Error e) {
      channel.close(); // would otherwise keep the connections forever
      throw e;
    }
  }

  /**
   * Returns the log. An unconfirmed frame of the log leaves a commit half done, too, so its
   * failures lose the pool.
   */
  @Override
  public PoolLog log() {
    PoolLog log = fabric.log();
    return log == null ? null : new FailStopLog(log);
  }

  /**
   * Takes the pool out of use. May be called again if a first call failed for lack of heap or
   * stack.
   */
  @Override
  public void lose(Throwable why) {
    if (failure == null) {
      failure = why instanceof FabricException known ? known : NO_HEAP;
    }
    fabric.lose(why);
    if (failure == NO_HEAP) {
      failure = new FabricException(HALF_DONE + ": " + why, why);
    }
  }

  @Override
  public ReplicationStatus replicationStatus() {
    ReplicationStatus status = fabric.replicationStatus();
    return failure == null ? status : status.asLost();
  }

  private void checkNotLost() {
    FabricException lost = failure;
    if (lost != null) {
      throw new FabricException(
          lost.node(), "the pool is lost because a flush failed: " + lost.getMessage(), lost);
    }
  }

  /** A log that fails once the pool is lost, and whose failures lose the pool. */
  private final class FailStopLog implements PoolLog {
    private final PoolLog log;

    FailStopLog(PoolLog log) {
      this.log = log;
    }

    @Override
    public Appender newAppender() {
      Appender appender = log.newAppender();
      return new Appender() {
        @Override
        public void send(long transaction, byte[] frame, int length, boolean isForced) {
          checkNotLost();
          try {
            appender.send(transaction, frame, length, isForced);
          } catch (RuntimeException | Error e) {
            lose(e);
            throw e;
          }
        }

        @Override
        public void await() {
          orLose(appender::await);
        }
      };
    }

    @Override
    public byte[] ask(byte[] question) {
      return log.ask(question);
    }

    @Override
    public PoolLog unify() {
      return log.unify();
    }

    @Override
    public void force() {
      checkNotLost();
      orLose(log::force);
    }

    @Override
    public long committed(long transaction) {
      checkNotLost();
      return reply(() -> log.committed(transaction));
    }

    @Override
    public void forgetCommitted() {
      checkNotLost();
      orLose(log::forgetCommitted);
    }

    @Override
    public int lastStore() {
      checkNotLost();
      return (int) reply(log::lastStore);
    }

    private long reply(LongSupplier question) {
      try {
        return question.getAsLong();
      } catch (RuntimeException | Error e) {
        lose(e);
        throw e;
      }
    }

    private void orLose(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        lose(e);
        throw e;
      }
    }
  }

  /** A channel that posts no verbs and fails all flushes once the pool is lost. */
  private final class FailStopChannel extends ForwardingChannel {
    private boolean writes;

    FailStopChannel(Channel channel) {
      super(channel);
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      if (failure == null) {
        try {
          channel.read(address, stagingOffset, length);
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public boolean canReadArray() {
      return channel.canReadArray();
    }

    @Override
    public void readArray(long address, byte[] target, int offset, int length) {
      if (failure == null) {
        try {
          channel.readArray(address, target, offset, length);
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      if (failure == null) {
        try {
          channel.write(address, stagingOffset, length);
          writes = true;
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public void writeLong(long address, long value) {
      if (failure == null) {
        try {
          channel.writeLong(address, value);
          writes = true;
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public void writeRelease(long address, long held, long value) {
      if (failure == null) {
        try {
          channel.writeRelease(address, held, value);
          writes = true;
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
      if (failure == null) {
        try {
          channel.compareAndSwap(address, expected, replacement, stagingOffset);
          writes = true;
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public void fetchAndAdd(long address, long delta, int stagingOffset) {
      if (failure == null) {
        try {
          channel.fetchAndAdd(address, delta, stagingOffset);
          writes = true;
        } catch (RuntimeException | Error e) {
          throw failed(e);
        }
      }
    }

    @Override
    public void flush() {
      flush(FlushKind.PLAIN);
    }

    @Override
    public void flushLogged() {
      flush(FlushKind.LOGGED);
    }

    @Override
    public void flushRaised() {
      flush(FlushKind.RAISED);
    }

    private void flush(FlushKind kind) {
      checkNotLost();
      try {
        switch (kind) {
          case PLAIN -> channel.flush();
          case LOGGED -> channel.flushLogged();
          case RAISED -> channel.flushRaised();
        }
        writes = false;
      } catch (RuntimeException | Error e) {
        throw failed(e);
      }
    }

    @Override
    public void discard() {
      channel.discard();
      writes = false;
    }

    /** Posting a verb sends a full batch, so it may fail as a flush does. */
    private RuntimeException failed(Throwable e) {
      boolean harmless = false;
      try {
        if (!writes && !(e instanceof FabricException)) {
          discard();
          harmless = true;
        }
      } finally {
        if (!harmless) {
          lose(e);
        }
      }
      if (e instanceof Error error) {
        throw error;
      }
      return (RuntimeException) e;
    }
  }
}
