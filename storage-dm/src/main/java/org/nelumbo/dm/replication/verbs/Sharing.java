package org.nelumbo.dm.replication.verbs;

import org.nelumbo.dm.replication.intent.FlushIntents;

/**
 * Whether other compute nodes write to the pool, too. Then flushes go another way: see {@code
 * SharedFlush}. It begins once, and does not end. Thread-safe.
 */
public final class Sharing {
  private volatile boolean isShared;
  private volatile FlushIntents intents;

  /**
   * Whether others may write. Who has locked stripes asks once more: whoever begins to share waits
   * for those who have not heard of it.
   */
  public boolean isShared() {
    return isShared;
  }

  /** What this compute node notes its intents in; null: it has no room for them yet. */
  FlushIntents intents() {
    return intents;
  }

  /** Others may write from now on. */
  public void begin() {
    isShared = true;
  }

  /** Intents can be noted from now on. */
  public void noteIn(FlushIntents records) {
    intents = records;
  }
}
