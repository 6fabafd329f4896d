package org.nelumbo.dm.replication.verbs;

import org.nelumbo.dm.replication.intent.FlushIntents;

/**
 * Whether other compute nodes write to the pool, too. Then flushes go another way: see {@code
 * SharedFlush}. It begins once, and does not end. Thread-safe.
 */
public final class Sharing {
  private volatile boolean isViewFixed;
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

  /** Whether the view stays as it is: whoever shares the pool relies on that. */
  public boolean isViewFixed() {
    return isViewFixed;
  }

  /** The view stays as it is from now on; before others may write. */
  public void fixView() {
    isViewFixed = true;
  }

  /** Others may write from now on. */
  public void begin() {
    assert isViewFixed : "the view may change";
    isShared = true;
  }

  /** Intents can be noted from now on. */
  public void noteIn(FlushIntents records) {
    intents = records;
  }
}
