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
 * A compute node's fabric that dies after a number of verbs: what was posted takes effect at the
 * flush, in posted order at each node and in any order between nodes, until the last verb of its
 * life; from then on everything throws {@link Death}. Closing it leaves the pool as it is. One
 * thread at a time.
 */
public final class DyingFabric implements Fabric {
  /** The compute node has died. */
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

  /** A fabric that lives until it is told to die. */
  public DyingFabric(Fabric pool, long seed) {
    this.pool = pool;
    this.left = Long.MAX_VALUE;
    this.random = new Random(seed);
  }

  /** Lives for that many more verbs. */
  public void dieAfter(long verbs) {
    left = verbs;
  }

  /** Is told of the end, as of a lost connection, instead of dying of it. */
  public void loseAfter(long verbs) {
    left = verbs;
    loses = true;
  }

  /** Whether it has died, or been lost. */
  public boolean isDead() {
    return left <= 0;
  }

  private RuntimeException end() {
    if (loses) {
      return new FabricException(0, "the connection is lost", null);
    }
    throw new Death();
  }

  /** Verbs that have taken effect. */
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
      // Word by word, as a WRITE may be seen and may stop.
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
