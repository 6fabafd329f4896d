package org.nelumbo.executor.commit;

import org.nelumbo.executor.outcome.Outcome;

/**
 * The way in which one coordinator commits its transactions, one after another: the order in which
 * memory, records, cells, logs and the timestamp are written, and what recovery can rely on. The
 * caller holds the locks of all writes until {@link #tidyUp} has returned. Not thread-safe.
 *
 * <p>One subclass is loaded in a process, so calls cost what those of a final class do.
 */
public abstract class CommitProtocol {
  /** Begins a transaction. */
  public abstract void begin();

  /**
   * Commits the writes. {@link #tidyUp} follows.
   *
   * @return OK, or EXHAUSTED with nothing written (the caller aborts)
   * @throws org.nelumbo.error.NelumboException OUTCOME_UNKNOWN if the transaction may be committed;
   *     CONNECTION_LOST if it is not, but has stopped the engine; after anything else that is
   *     thrown nothing is written, and the caller aborts
   */
  public abstract Outcome commit();

  /** Returns true if {@link #commit} has committed: from then on nothing may be taken back. */
  public abstract boolean isVisible();

  /**
   * Updates the caches, and frees or retires what was replaced, after the commit is visible.
   * Whatever is thrown here, the transaction is committed.
   */
  public abstract void tidyUp();
}
