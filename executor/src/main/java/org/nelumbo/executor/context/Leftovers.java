package org.nelumbo.executor.context;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts work after commits that an exception has ended: memory that was not freed, rows that could
 * not be removed. The transactions are committed in any case, so such a failure is only counted and
 * logged, once for each kind. The next attach of the pool finds the undone work. Thread-safe.
 */
public final class Leftovers {
  /** Name of the counter in the environment, see {@link Environment#failures}. */
  public static final String NAME = "nelumbo-collector";

  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  private final Runnable onLeft;
  private final AtomicLong count;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * Creates a counter.
   *
   * @param onLeft runs whenever work is left undone
   */
  public Leftovers(Environment environment, Runnable onLeft) {
    this.onLeft = onLeft;
    this.count = environment.failures(NAME);
  }

  /** Records that an exception has ended some work; throws nothing itself. */
  public void note(String work, Throwable why) {
    count.incrementAndGet();
    onLeft.run();
    try {
      if (why instanceof FabricException) {
        LOG.debug("{}: left to recovery: {}", work, why.getMessage());
      } else if (logged.add(work + why.getClass())) {
        LOG.error("{}: unfinished until the pool is attached again", work, why);
      }
    } catch (Throwable t) {
      count.incrementAndGet(); // there is no memory for a log message
    }
  }

  /** Returns the number of times that work was left undone. */
  public long count() {
    return count.get();
  }
}
