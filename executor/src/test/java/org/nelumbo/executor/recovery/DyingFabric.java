package org.nelumbo.executor.recovery;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The fabric of a compute node that fails after a number of verbs. Posted verbs take effect at the
 * flush, in posted order at each node and in any order between nodes, up to the last verb before
 * the failure. After it every call throws {@link Death}. Closing the fabric leaves the pool as it
 * is. Not thread-safe.
 */
public final class DyingFabric implements Fabric {
  /** Thrown when the compute node fails. */
  public static final class Death extends Error {
    private static final long serialVersionUID = 1L;

    Death() {
      super("dead", null, false, false);
    }
  }

  private final Fabric pool;
  private final Random random;
  private boolean loses;
  private long left;
  private long done;

  /** Creates a fabric that works until {@link #dieAfter} or {@link #loseAfter} takes effect. */
  public DyingFabric(Fabric pool, long seed) {
    this.pool = pool;
    this.left = Long.MAX_VALUE;
    this.random = new Random(seed);
  }

  /** Makes the compute node fail after the given number of further verbs. */
  public void dieAfter(long verbs) {
    left = verbs;
  }

  /**
   * Makes calls throw a {@link FabricException}, as for a lost connection, after the given number
   * of further verbs.
   */
  public void loseAfter(long verbs) {
    left = verbs;
    loses = true;
  }

  /** Returns true if the compute node has failed or lost its connection. */
  public boolean isDead() {
    return left <= 0;
  }

  private RuntimeException end() {
    if (loses) {
      return new FabricException(0, "the connection is lost", null);
    }
    throw new Death();
  }

  /** Returns the number of verbs that have taken effect. */
  public long verbs() {
    return done;
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    return new DyingChannel(pool.openChannel(stagingBytes));
  }

  @Override
  public int nodeCount() {
    return pool.nodeCount();
  }

  @Override
  public long nodeBytes(int node) {
    return pool.nodeBytes(node);
  }

  @Override
  public boolean isRemote() {
    return pool.isRemote();
  }

  @Override
  public void close() {}

  private void live() {
    if (left <= 0) {
      throw end();
    }
    left--;
    done++;
  }

  private final class DyingChannel extends InterceptedChannel {
    private final List<ArrayDeque<Runnable>> posted = new ArrayList<>();

    DyingChannel(Channel channel) {
      super(channel);
      for (int node = 0; node < pool.nodeCount(); node++) {
        posted.add(new ArrayDeque<>());
      }
    }

    @Override
    protected void post(long address, Runnable verb) {
      if (left <= 0) {
        throw end();
      }
      posted.get(PoolAddress.node(address)).add(verb);
    }

    @Override
    public void write(long address, int stagingOffset, int length) {
      // Word by word, as a WRITE can become visible and can be interrupted.
      for (int at = 0; at < length; at += 8) {
        super.write(address + at, stagingOffset + at, Math.min(8, length - at));
      }
    }

    @Override
    public void flush() {
      while (true) {
        int first = random.nextInt(posted.size());
        Runnable verb = null;
        for (int i = 0; i < posted.size() && verb == null; i++) {
          verb = posted.get((first + i) % posted.size()).poll();
        }
        if (verb == null) {
          channel.flush();
          return;
        }
        live();
        verb.run();
        channel.flush();
      }
    }
  }
}
