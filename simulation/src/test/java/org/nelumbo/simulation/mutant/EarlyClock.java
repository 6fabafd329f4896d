package org.nelumbo.simulation.mutant;

import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.timestamp.HybridClock;

/**
 * A clock that draws the commit timestamp of a thread's transaction at its beginning, when the
 * thread first requests the time. It may be used by one carrier thread only.
 */
final class EarlyClock extends HybridClock {
  private Map<Thread, Long> drawn;

  EarlyClock(Environment environment) {
    super(environment);
  }

  /** Returns the drawn timestamps. The constructor of the superclass also calls it. */
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
  public long next(Channel channel) {
    Long early = drawn().remove(Thread.currentThread());
    return early == null ? super.next() : early;
  }
}
