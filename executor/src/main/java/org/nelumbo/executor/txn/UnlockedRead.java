package org.nelumbo.executor.txn;

import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;

/**
 * A read of what is committed at a moment, without locks, also in a transaction that reads under
 * locks otherwise; and the locks of those of its rows that nobody else has locked, or has changed
 * since. So it waits for nobody, and sees no row that is locked. Between {@link #enter} and {@link
 * #leave} every read of the transaction is such a read. Reusable; not thread-safe.
 */
public final class UnlockedRead {
  private final ReadView view;
  private final RowOperations rows;
  private long moment;
  private long openedIn = -1;

  UnlockedRead(ReadView view, RowOperations rows) {
    this.view = view;
    this.rows = rows;
  }

  /** Chooses the moment: that of the transaction's snapshot, or now. */
  public void open() {
    close();
    view.pin();
    openedIn = view.generation();
    moment = view.moment();
  }

  /** Reads are unlocked from now on. */
  public void enter() {
    view.borrowSnapshot(moment);
  }

  /** Ends {@link #enter}. */
  public void leave() {
    view.giveSnapshotBack();
  }

  /**
   * Locks a row that was read here: OK; NOT_FOUND if another transaction has locked it, or has
   * changed it since the moment; or the failure. A transaction that is read-only locks nothing.
   *
   * @param lockMode {@link LockMode#READ} or {@link LockMode#WRITE}
   */
  public Outcome lock(TableStore table, KeyBuffer rowKey, LockMode lockMode) {
    return view.isReadOnly() ? Outcome.OK : rows.lockUnchanged(table, rowKey, lockMode, moment);
  }

  /** Ends the read; its locks stay with the transaction. Harmless if it has ended. */
  public void close() {
    if (openedIn == view.generation()) {
      view.giveSnapshotBack();
      view.unpin();
    }
    openedIn = -1;
  }
}
