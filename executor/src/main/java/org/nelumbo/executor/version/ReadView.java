package org.nelumbo.executor.version;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.executor.txn.Transaction;

/**
 * The view of the pool that a coordinator's transaction reads: a snapshot or, for a serializable
 * transaction that may write, the newest versions under locks.
 *
 * <p>The view also pins the epoch, which delays the reuse of memory. A snapshot pins it until the
 * transaction ends; a locking transaction pins it only while it reads ({@link #pin}, until {@link
 * #pause} or the end). Used by one thread at a time; other threads may read the kind of the
 * transaction, and may get a slightly older value.
 */
public final class ReadView {
  private static final long NO_SNAPSHOT = Long.MAX_VALUE;

  private final Epochs epochs;
  private final Clock clock;
  private final Environment environment;
  private final Channel channel;
  private final int slot;

  private boolean readOnly;
  private final Snapshot snapshot = new Snapshot();

  /** True if a tentative snapshot was read. */
  private boolean hasRead;

  /** False if the newest versions are read; the snapshot then contains all versions. */
  private boolean hasSnapshot;

  private long startTimestamp;
  private boolean changedSinceSnapshot;
  private long generation;

  /** True while a locking transaction uses a snapshot temporarily. */
  private boolean borrowed;

  private int pins;
  private boolean pinned;

  /** Start timestamp of the pin; meaningless if nothing is pinned. */
  private long pinnedAt;

  public ReadView(CoordinatorContext context) {
    this.epochs = context.epochs();
    this.clock = context.clock();
    this.environment = context.environment();
    this.channel = context.channel();
    this.slot = context.slot();
    dropSnapshot();
  }

  /** Begins a transaction that reads a snapshot and writes nothing. */
  public void beginReadOnly() {
    assert !pinned : "the previous transaction has not ended";
    epochs.pin(slot);
    pinned = true;
    clock.readSettled(channel, snapshot);
    begin(true);
  }

  /**
   * Begins a transaction that makes one call that reads, and writes nothing. If its snapshot is
   * tentative, the call is repeated while {@link #mustReadAgain} returns true.
   */
  public void beginSingleRead() {
    assert !pinned : "the previous transaction has not ended";
    epochs.pin(slot);
    pinned = true;
    clock.readTentatively(channel, snapshot);
    begin(true);
  }

  /**
   * Begins the call of such a transaction that may read a tentative snapshot.
   *
   * @throws IllegalStateException if it is another call
   */
  public void beginCall() {
    if (snapshot.isTentative()) {
      checkFirst();
      hasRead = true;
    }
  }

  /**
   * Begins a call that cannot be repeated, so that its snapshot must not be tentative.
   *
   * @throws IllegalStateException if such a transaction has read something already
   */
  public void beginLongCall() {
    if (snapshot.isTentative()) {
      checkFirst();
      clock.readSettled(channel, snapshot);
    }
  }

  private void checkFirst() {
    if (hasRead) {
      throw new IllegalStateException("the transaction may make one call that reads");
    }
  }

  /**
   * Returns true if the call may have missed a version since its snapshot was tentative. Then the
   * snapshot is not tentative any more.
   */
  public boolean mustReadAgain() {
    if (!snapshot.hasMissed()) {
      return false;
    }
    clock.readSettled(channel, snapshot);
    return true;
  }

  /** Begins a transaction that reads all commits up to one timestamp, and writes nothing. */
  public void beginCut() {
    assert !pinned : "the previous transaction has not ended";
    epochs.pin(slot);
    pinned = true;
    clock.readCut(channel, environment, snapshot);
    begin(true);
  }

  /** Begins a transaction that reads a snapshot and may write. */
  public void beginSnapshot() {
    assert !pinned : "the previous transaction has not ended";
    pinSnapshot();
    begin(false);
  }

  /** Begins a transaction that reads the newest versions, under locks. */
  public void beginLocking() {
    assert !pinned : "the previous transaction has not ended";
    generation++;
    readOnly = false;
    changedSinceSnapshot = false;
    dropSnapshot();
    startTimestamp = clock.now();
  }

  /** Pins before it reads the clock, so that the pinned timestamp is not above the snapshot. */
  private void pinSnapshot() {
    epochs.pin(slot);
    pinned = true;
    clock.read(channel, snapshot);
  }

  private void begin(boolean isReadOnly) {
    generation++;
    readOnly = isReadOnly;
    changedSinceSnapshot = false;
    hasSnapshot = true;
    hasRead = false;
    startTimestamp = snapshot.low();
    pinnedAt = snapshot.low();
  }

  private void dropSnapshot() {
    snapshot.set(NO_SNAPSHOT);
    hasSnapshot = false;
  }

  public void end() {
    generation++;
    dropSnapshot();
    borrowed = false;
    pins = 0;
    letGo();
  }

  /**
   * Returns a number that changes with every begin and end. Objects that were opened in one
   * transaction use it to leave the next one alone.
   */
  public long generation() {
    return generation;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  /**
   * Checks that the transaction may write.
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

  /** Returns the snapshot; one that contains all versions if the newest versions are read. */
  public Snapshot snapshot() {
    return snapshot;
  }

  public boolean isSnapshot() {
    return hasSnapshot;
  }

  /**
   * Sets {@code into} to the snapshot or, without one, to the present committed state. Must be
   * called while the view is pinned.
   */
  public void copySnapshot(Snapshot into) {
    assert pinned : "its versions are not pinned";
    beginLongCall();
    if (hasSnapshot) {
      into.set(snapshot);
    } else {
      clock.read(channel, into);
    }
  }

  /**
   * Makes reads use a snapshot and lock nothing, until {@link #giveSnapshotBack}. The pin under
   * which {@link #copySnapshot} was called must last. A transaction that has a snapshot keeps its
   * own.
   */
  public void borrowSnapshot(Snapshot lent) {
    if (!hasSnapshot) {
      snapshot.set(lent);
      hasSnapshot = true;
      borrowed = true;
    }
  }

  /** Ends {@link #borrowSnapshot}; has no effect without it. */
  public void giveSnapshotBack() {
    if (borrowed) {
      dropSnapshot();
      borrowed = false;
    }
  }

  /** Returns true if a read in this mode locks its row. */
  public boolean locksReads(LockMode lockMode) {
    return !hasSnapshot || (lockMode == LockMode.WRITE && !readOnly);
  }

  /**
   * Returns true if scans lock leaves: only serializable read-write transactions need phantom
   * protection.
   */
  public boolean locksLeaves(boolean locked) {
    return locked && !hasSnapshot;
  }

  /**
   * Returns true if a version that was read under a lock is not in the snapshot (first committer
   * wins).
   */
  public boolean isTooNew(long version) {
    return !snapshot.sees(version);
  }

  /**
   * Returns the outcome of a read under a lock that found the given version, 0 for none. A snapshot
   * transaction gets CONFLICT if the version is too new, and TOO_OLD if a newer version, a
   * deletion, may have been reclaimed.
   */
  public Outcome judge(long version, Outcome found) {
    if (isTooNew(version)) {
      return changedSinceSnapshot();
    }
    return checkAge() == Outcome.OK ? found : Outcome.TOO_OLD;
  }

  /** Records that a version was too new; returns CONFLICT. */
  public Outcome changedSinceSnapshot() {
    changedSinceSnapshot = true;
    return Outcome.CONFLICT;
  }

  /** Returns true if a version was too new for the transaction. */
  public boolean isChangedSinceSnapshot() {
    return changedSinceSnapshot;
  }

  /**
   * Holds back the reuse of memory that is being read, until {@link #pause} or the end of the
   * transaction; nests. Each pin has its {@link #unpin}, unless an exception is thrown: the
   * transaction is then aborted, and its {@link #end} drops all pins.
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

  /**
   * Returns true if addresses that are read now can be followed, since their memory is not reused.
   */
  public boolean isPinned() {
    return pinned;
  }

  /**
   * Returns OK, or TOO_OLD for a snapshot that is older than the versions that are kept: the data
   * that it has read since may be arbitrary. Must be called between a read and the use of its
   * result, so that no pointer, length or absence counts that the snapshot does not see.
   */
  public Outcome checkAge() {
    return snapshot.low() < epochs.forcedHorizon() ? Outcome.TOO_OLD : Outcome.OK;
  }

  /**
   * Returns true if the pin no longer holds back the reuse of memory. Even under locks, an address
   * that was obtained under this pin may then belong to other data.
   */
  public boolean isOutlived() {
    return pinned && pinnedAt < epochs.forcedHorizon();
  }

  /** See {@link Transaction#pause}. */
  public void pause() {
    if (pins == 0 && !hasSnapshot) {
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
