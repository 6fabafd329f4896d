package org.nelumbo.dm.redo;

import org.nelumbo.dm.pool.PoolLog;

/**
 * Sends the rows of a coordinator's transactions to the log of a memory node. For one thread.
 *
 * <p>After any exception the sent rows may be in the log.
 */
public final class RedoSender {
  private final PoolLog.Appender appender;

  private boolean hasSent;

  public RedoSender(PoolLog log) {
    this.appender = log.newAppender();
  }

  /** Starts a transaction. */
  public void begin() {
    hasSent = false;
  }

  /** Sends rows of a transaction that has more; they become valid with its commit. */
  public void part(RedoEntry entry, long transaction) {
    hasSent = false;
    entry.seal(RedoLayout.PART);
    send(entry, transaction, 0, false);
    entry.clearRows();
    hasSent = true;
  }

  /**
   * Sends a transaction's rows, or the last of them; they are in the log when this returns.
   *
   * @param durability for COMMIT, the log is also on the disk up to these rows
   */
  public void commit(RedoEntry entry, long transaction, long timestamp, Durability durability) {
    entry.seal(RedoLayout.COMMIT);
    send(entry, transaction, timestamp, durability == Durability.COMMIT);
    hasSent = false;
  }

  /** Discards the rows of the transaction. */
  public void forget(RedoEntry entry, long transaction) {
    if (hasSent) {
      entry.clearRows();
      entry.seal(RedoLayout.FORGET);
      send(entry, transaction, 0, false);
      hasSent = false;
    }
  }

  private void send(RedoEntry entry, long transaction, long timestamp, boolean isForced) {
    entry.address(timestamp);
    appender.append(transaction, entry.bytes(), entry.paddedLength(), isForced);
  }
}
