package org.nelumbo.executor.version;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.txn.Transaction;

/**
 * The view of the pool that a coordinator's transaction reads: a snapshot; or, if it is
 * serializable and may write, the newest versions, under locks. And what it thereby holds back: who
 * has a snapshot keeps memory from being reused until it ends, who has none only while it reads
 * ({@link #pin}, until {@link #pause} or the end). One thread at a time; others may ask what kind
 * of transaction it is, and learn what it was a moment ago.
 */
public final class ReadView {
  private static final long NO_SNAPSHOT = Long.MAX_VALUE;

  private final Epochs epochs;
  private final Clock clock;
  private final Channel channel;
  private final int slot;

  private boolean readOnly;
  private long snapshot = NO_SNAPSHOT;
  private long startTimestamp;
  private boolean changedSinceSnapshot;
  private long generation;

  /** The snapshot is one that a locking transaction has for a while. */
  private boolean borrowed;

  private int pins;
  private boolean pinned;

  /** Start timestamp of what is pinned; meaningless if nothing is. */
  private long pinnedAt;

  public ReadView(CoordinatorContext context) {
    this.epochs = context.epochs();
    this.clock = context.clock();
    this.channel = context.channel();
    this.slot = context.slot();
  }

  /** A transaction begins that reads a snapshot and writes nothing. */
  public void beginReadOnly() {
    assert !pinned : "the transaction before has not ended";
    epochs.pin(slot);
    pinned = true;
    begin(true, clock.readSettled(channel));
  }

  /** A transaction begins that reads a snapshot, and may write. */
  public void beginSnapshot() {
    assert !pinned : "the transaction before has not ended";
    begin(false, pinSnapshot());
  }

  /** A transaction begins that reads the newest versions, under locks. */
  public void beginLocking() {
    assert !pinned : "the transaction before has not ended";
    generation++;
    readOnly = false;
    changedSinceSnapshot = false;
    snapshot = NO_SNAPSHOT;
    startTimestamp = clock.now();
  }

  /** What is held back is not above the snapshot. */
  private long pinSnapshot() {
    epochs.pin(slot);
    pinned = true;
    return clock.read(channel);
  }

  private void begin(boolean isReadOnly, long pinnedSnapshot) {
    generation++;
    readOnly = isReadOnly;
    changedSinceSnapshot = false;
    snapshot = pinnedSnapshot;
    startTimestamp = pinnedSnapshot;
    pinnedAt = pinnedSnapshot;
  }

  public void end() {
    generation++;
    snapshot = NO_SNAPSHOT;
    borrowed = false;
    pins = 0;
    letGo();
  }

  /**
   * Changes with every beginning and end, so that what was opened in one transaction does not touch
   * the next.
   */
  public long generation() {
    return generation;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  /**
   * Refuses writes in a read-only transaction.
   *
   * @throws NelumboException READ_ONLY_TRANSACTION
   */
  public void requireWritable() {
    if (readOnly) {
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION,
          "the transaction is read-only; call setReadOnly(false) before it begins");
    }
  }

  public long startTimestamp() {
    return startTimestamp;
  }

  /** Timestamp of the snapshot; {@code Long.MAX_VALUE} if the newest versions are read. */
  public long snapshot() {
    return snapshot;
  }

  public boolean isSnapshot() {
    return snapshot != NO_SNAPSHOT;
  }

  /** Timestamp of the snapshot, or of what is committed now. To be called while it is pinned. */
  public long moment() {
    assert pinned : "nothing keeps its versions";
    return isSnapshot() ? snapshot : clock.read(channel);
  }

  /**
   * Reads show a {@link #moment}, and lock nothing, until {@link #giveSnapshotBack}; the pin of
   * that moment lasts. A transaction that has a snapshot keeps its own.
   */
  public void borrowSnapshot(long moment) {
    if (!isSnapshot()) {
      snapshot = moment;
      borrowed = true;
    }
  }

  /** Ends {@link #borrowSnapshot}; harmless without. */
  public void giveSnapshotBack() {
    if (borrowed) {
      snapshot = NO_SNAPSHOT;
      borrowed = false;
    }
  }

  /** Whether a read in this mode locks its row. */
  public boolean locksReads(LockMode lockMode) {
    return snapshot == NO_SNAPSHOT || (lockMode == LockMode.WRITE && !readOnly);
  }

  /**
   * Whether scans lock leaves: only serializable read-write transactions need phantom protection.
   */
  public boolean locksLeaves(boolean locked) {
    return locked && snapshot == NO_SNAPSHOT;
  }

  /** Whether a version read under a lock is newer than the snapshot (first committer wins). */
  public boolean isTooNew(long version) {
    return version > snapshot;
  }

  /**
   * What becomes of the outcome of a read under a lock, which found that version, 0 for none: a
   * snapshot gets CONFLICT if it is too new; TOO_OLD if a newer one, a deletion, may be gone.
   */
  public Outcome judge(long version, Outcome found) {
    if (isTooNew(version)) {
      return changedSinceSnapshot();
    }
    return checkAge() == Outcome.OK ? found : Outcome.TOO_OLD;
  }

  /** Notes that a version was too new: CONFLICT. */
  public Outcome changedSinceSnapshot() {
    changedSinceSnapshot = true;
    return Outcome.CONFLICT;
  }

  /** Whether a version was too new for the transaction. */
  public boolean isChangedSinceSnapshot() {
    return changedSinceSnapshot;
  }

  /**
   * Holds back the reuse of memory that is being read, until {@link #pause} or the end of the
   * transaction; nests. Each pin has its {@link #unpin}, unless an exception flies: the transaction
   * is aborted then, and its {@link #end} forgets all pins.
   */
  public void pin() {
    if (!pinned) {
      pinnedAt = epochs.pin(slot);
      pinned = true;
    }
    pins++;
  }

  public void unpin() {
    assert pins > 0 : "unpinned without a pin";
    pins--;
  }

  /** Whether addresses that are read now can be followed: their memory is not used again. */
  public boolean isPinned() {
    return pinned;
  }

  /**
   * OK; or TOO_OLD for a snapshot that is older than the versions that are kept: what it has read
   * since may be anything. To be asked between a read and the use of what it brought, so that no
   * pointer, length or absence counts that the snapshot does not see.
   */
  public Outcome checkAge() {
    return snapshot < epochs.forcedHorizon() ? Outcome.TOO_OLD : Outcome.OK;
  }

  /**
   * Whether memory is no longer held back for who is pinned: also under locks, an address that it
   * has had for so long may be that of something else by now.
   */
  public boolean isOutlived() {
    return pinned && pinnedAt < epochs.forcedHorizon();
  }

  /** See {@link Transaction#pause}. */
  public void pause() {
    if (pins == 0 && snapshot == NO_SNAPSHOT) {
      letGo();
    }
  }

  private void letGo() {
    if (pinned) {
      pinned = false;
      epochs.unpin(slot);
    }
  }
}
