package org.nelumbo.dm.index.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A channel of a coordinator that dies before one of its verbs. These take effect when they are
 * posted; or at the flush, those to one node in posted order, between nodes in any order.
 */
final class DyingChannel extends InterceptedChannel {
  private static final int NODES = 2;

  /** The coordinator is dead. */
  static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final List<Deque<Runnable>> posted = new ArrayList<>();
  private long left = Long.MAX_VALUE;

  /** Draws the node whose turn it is; null if verbs take effect when they are posted. */
  private SplittableRandom order;

  DyingChannel(Channel channel) {
    super(channel);
    for (int node = 0; node < NODES; node++) {
      posted.add(new ArrayDeque<>());
    }
  }

  void dieAfter(long verbs) {
    left = verbs;
  }

  /** From now on verbs take effect at the flush. */
  void delay(long seed) {
    order = new SplittableRandom(seed);
  }

  @Override
  protected void post(long address, Runnable verb) {
    if (order == null) {
      run(verb);
    } else {
      posted.get(PoolAddress.node(address)).add(verb);
    }
  }

  private void run(Runnable verb) {
    if (left-- <= 0) {
      throw new Death();
    }
    verb.run();
  }

  /**
   * One node may be done long before another: every second time it is drawn, it is done at once.
   */
  @Override
  public void flush() {
    while (posted.stream().anyMatch(verbs -> !verbs.isEmpty())) {
      Deque<Runnable> verbs = posted.get(order.nextInt(NODES));
      for (int i = order.nextInt(2) * verbs.size(); i >= 0 && !verbs.isEmpty(); i--) {
        run(verbs.poll());
      }
    }
    channel.flush();
  }

  @Override
  public void close() {}
}
