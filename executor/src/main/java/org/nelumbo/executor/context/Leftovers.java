package org.nelumbo.executor.context;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work after commits that an exception has ended: memory that was not given back, rows that
 * could not be removed. The transactions are committed all the same, so nobody is told but the log,
 * once for each kind of failure, and a counter; whoever attaches to the pool next finds what was
 * left. Thread-safe.
 */
public final class Leftovers {
  /** The name under which the environment counts, see {@link Environment#failures}. */
  public static final String NAME = "nelumbo-collector";

  private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

  private final Runnable onLeft;
  private final AtomicLong count;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  /**
   * No leftovers so far.
   *
   * @param onLeft called whenever something is left
   */
  public Leftovers(Environment environment, Runnable onLeft) {
    this.onLeft = onLeft;
    this.count = environment.failures(NAME);
  }

  /** Notes that work has ended in an exception; throws nothing itself. */
  public void note(String work, Throwable why) {
    count.incrementAndGet();
    onLeft.run();
    try {
      if (why instanceof FabricException) {
        LOG.debug("{}: left to recovery: {}", work, why.getMessage());
      } else if (logged.add(work + why.getClass())) {
        LOG.error("{}: something is left undone until the pool is attached again", work, why);
      }
    } catch (Throwable t) {
      count.incrementAndGet(); // there is no memory to say so
    }
  }

  /** Times that work was ended. */
  public long count() {
    return count.get();
  }
}
