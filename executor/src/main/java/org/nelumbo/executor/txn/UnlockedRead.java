package org.nelumbo.executor.txn;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.executor.version.ReadView;

/**
 * A read of the state that is committed at one timestamp, without locks, even in a transaction that
 * otherwise reads under locks. It can then lock those of its rows that no other transaction has
 * locked or has changed since. So it never waits, and returns no row that is locked by another
 * transaction. All reads of the transaction between {@link #enter} and {@link #leave} are unlocked
 * reads. Reusable; not thread-safe.
 */
public final class UnlockedRead {
  private final ReadView view;
  private final RowOperations rows;
  private final Snapshot moment = new Snapshot();
  private long openedIn = -1;

  UnlockedRead(ReadView view, RowOperations rows) {
    this.view = view;
    this.rows = rows;
  }

  /** Chooses the snapshot of the read: that of the transaction, or the present state. */
  public void open() {
    close();
    view.pin();
    openedIn = view.generation();
    view.copySnapshot(moment);
  }

  /** Makes the following reads unlocked. */
  public void enter() {
    view.borrowSnapshot(moment);
  }

  /** Ends the effect of {@link #enter}. */
  public void leave() {
    view.giveSnapshotBack();
  }

  /**
   * Locks a row that was read here. Returns OK; NOT_FOUND if another transaction has locked the row
   * or has changed it since the snapshot of the read; or the failure. A read-only transaction locks
   * nothing.
   *
   * @param lockMode {@link LockMode#READ} or {@link LockMode#WRITE}
   */
  public Outcome lock(TableStore table, KeyBuffer rowKey, LockMode lockMode) {
    return view.isReadOnly() ? Outcome.OK : rows.lockUnchanged(table, rowKey, lockMode, moment);
  }

  /** Ends the read; the transaction keeps its locks. Has no effect if the read has ended. */
  public void close() {
    if (openedIn == view.generation()) {
      view.giveSnapshotBack();
      view.unpin();
    }
    openedIn = -1;
  }
}
