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
 * A channel of a coordinator that fails before one of its verbs. Verbs take effect either when they
 * are posted, or at the flush. In the second case the verbs to one node keep their posted order,
 * while the order between nodes is random.
 */
final class DyingChannel extends InterceptedChannel {
  private static final int NODES = 2;

  /** Thrown when the coordinator fails. */
  static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final List<Deque<Runnable>> posted = new ArrayList<>();
  private long left = Long.MAX_VALUE;

  /** Chooses the next node; null if verbs take effect when they are posted. */
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

  /** Makes later verbs take effect at the flush, in an order drawn from the seed. */
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
   * Executes the posted verbs. Each time a node is chosen, either its next verb or all of its verbs
   * are executed, so that one node may finish long before another.
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
