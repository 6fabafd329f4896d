package org.nelumbo.simulation.mutant;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.timestamp.HybridClock;

/**
 * Draws the next commit timestamp of a thread when it first asks for the time: at the beginning of
 * its transaction. For one carrier.
 */
final class EarlyClock extends HybridClock {
  private Map<Thread, Long> drawn;

  EarlyClock(Environment environment) {
    super(environment);
  }

  /** Also called by the constructor of the class above. */
  private Map<Thread, Long> drawn() {
    if (drawn == null) {
      drawn = new HashMap<>();
    }
    return drawn;
  }

  @Override
  public long now() {
    if (!drawn().containsKey(Thread.currentThread())) {
      drawn().put(Thread.currentThread(), super.next());
    }
    return super.now();
  }

  @Override
  public long drawn(Channel channel, int posted) {
    Long early = drawn().remove(Thread.currentThread());
    return early == null ? super.next() : early;
  }
}
