package org.nelumbo.executor.commit;

import org.nelumbo.executor.outcome.Outcome;

/**
 * The protocol by which one coordinator commits its transactions, one after another. It defines the
 * order in which memory, records, cells, logs and the timestamp are written, and the guarantees for
 * recovery. The caller holds the locks of all writes until {@link #tidyUp} has returned. Not
 * thread-safe.
 *
 * <p>Only one subclass is loaded in a process, so calls cost as much as those of a final class.
 */
public abstract class CommitProtocol {
  /** Begins a transaction. */
  public abstract void begin();

  /**
   * Commits the writes. {@link #tidyUp} follows.
   *
   * @return OK, or EXHAUSTED with nothing written, after which the caller aborts
   * @throws org.nelumbo.error.NelumboException OUTCOME_UNKNOWN if the transaction may be committed;
   *     CONNECTION_LOST if it is not committed, but has stopped the engine. After any other
   *     exception nothing is written, and the caller aborts
   */
  public abstract Outcome commit();

  /** Returns true if {@link #commit} has committed. From then on no write may be undone. */
  public abstract boolean isVisible();

  /**
   * Updates the caches, and frees or retires replaced versions, after the commit is visible. The
   * transaction stays committed, whatever is thrown here.
   */
  public abstract void tidyUp();
}
