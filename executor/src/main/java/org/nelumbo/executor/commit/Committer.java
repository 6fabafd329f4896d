package org.nelumbo.executor.commit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongSupplier;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoFailedException;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.cache.RecordCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.gc.ChainCut;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Writes a transaction's versions (LOTUS section 5.1, phase 2): memory first, then records,
 * INVISIBLE cells and log in one round trip, the commit timestamp, and the timestamps of the cells
 * in another. The caller holds the write locks throughout and releases them afterwards. Not
 * thread-safe.
 *
 * <p>Stopped before the timestamp is drawn: the log is not whole, or names every INVISIBLE cell and
 * none has a timestamp; the transaction is undone. Stopped later: some cell has its timestamp, or
 * none; with one, the others get the same; with none, nobody has been told of the commit, and it is
 * undone. Where a memory node keeps a log, the rows are in that before the timestamps of the cells
 * are written; then it decides: a commit that it has is not undone. Whoever attaches to the pool
 * next sees to that ({@code executor.recovery}).
 */
public final class Committer {
  private static final int STAGING_RESERVE = 4096;

  /** Of cells before the first one. */
  private static final int NO_NODE = -2;

  /** Of cells that are on several memory nodes. */
  private static final int SEVERAL_NODES = -1;

  private final Channel channel;
  private final MemorySegment staging;
  private final PoolAllocator allocator;
  private final Clock clock;
  private final Epochs epochs;
  private final WriteSet writes;
  private final TransactionLog log;
  private final GarbageList garbage;
  private final ChainCut chainCut;

  private final boolean remote;
  private final CvtCache cache;
  private final RecordCache records;
  private final CriticalSection critical;

  /** Log on a disk here; null if there is none. */
  private final RedoLog redo;

  /** Leads to the log of a memory node; null if there is none. */
  private final RedoSender sender;

  /** Rows on their way into a log; null if there is none. */
  private final RedoEntry redoEntry;

  /** Null if there is no log here. */
  private final LongSupplier draw;

  private Durability durability;

  /** Whether the transaction that is committed is written to the log. */
  private boolean recorded;

  /** Of the transaction that is committed. */
  private long horizon;

  private long transaction;
  private long timestamp;

  /** Whether the transaction is committed, and everybody sees it. */
  private boolean visible;

  public Committer(
      CoordinatorContext context, WriteSet writes, TransactionLog log, GarbageList garbage) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.allocator = context.allocator();
    this.clock = context.clock();
    this.epochs = context.epochs();
    this.remote = context.caches().isRemote();
    this.cache = context.caches().cvts();
    this.records = context.caches().records();
    this.critical = context.critical();
    this.redo = context.redo();
    this.sender = context.poolLog() == null ? null : new RedoSender(context.poolLog());
    this.redoEntry = redo == null && sender == null ? null : new RedoEntry();
    this.draw = redo == null ? null : () -> clock.next(channel);
    this.durability =
        sender != null ? Durability.COMMIT : redo == null ? Durability.NONE : redo.durability();
    this.writes = writes;
    this.log = log;
    this.garbage = garbage;
    this.chainCut = new ChainCut(context, garbage);
  }

  /**
   * Commits. The log comes first: a session whose first insert finds the pool full has one then,
   * and can delete. {@link #tidyUp} follows.
   *
   * @return OK, or EXHAUSTED with nothing written (the caller aborts)
   * @throws NelumboException OUTCOME_UNKNOWN if the transaction may be committed; CONNECTION_LOST
   *     if it is not, but has stopped the engine; after anything else that is thrown nothing is
   *     written, and the caller aborts
   */
  public Outcome commit() {
    invalidateCached();
    horizon = freshEnoughHorizon();
    if (!reserveLog() || !allocate()) {
      freeAllocated();
      log.giveReserveBack();
      return Outcome.EXHAUSTED;
    }
    transaction = log.begin();
    recorded = redo != null && redo.isRecording();
    if (recorded || sender != null) {
      record();
    }
    int mark = channel.mark();
    try {
      critical.begin();
      writeInvisible(mark);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
    makeVisible(mark);
    visible = true;
    return Outcome.OK;
  }

  /** A transaction begins. */
  public void begin() {
    visible = false;
    recorded = false;
  }

  /** Whether {@link #commit} has done its work: from then on nothing may be taken back. */
  public boolean isVisible() {
    return visible;
  }

  /**
   * Does what is left when the commit is visible: the caches follow, and what was replaced is freed
   * or handed on. Whatever is thrown here, the transaction is committed.
   */
  public void tidyUp() {
    publishCached();
    retireReplaced();
    log.giveReserveBack();
  }

  /** A fresh horizon only if the cached one would make a version move to the overflow chain. */
  private long freshEnoughHorizon() {
    long cached = epochs.horizon();
    for (int entry = 0; entry < writes.size(); entry++) {
      if (isWritten(entry) && writes.plan(entry).evicts(cached)) {
        return epochs.refreshHorizon();
      }
    }
    return cached;
  }

  /**
   * Whether the entry has a version to write: a row that is there now, or the deletion of one that
   * was.
   */
  private boolean isWritten(int entry) {
    return !writes.isVoid(entry) && (writes.isPresent(entry) || writes.existed(entry));
  }

  private boolean reserveLog() {
    return log.reserve(writes.size(), false)
        || (!insertsRows() && log.reserve(writes.size(), true));
  }

  private boolean insertsRows() {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isFresh(entry)) {
        return true;
      }
    }
    return false;
  }

  private boolean allocate() {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!isWritten(entry)) {
        continue;
      }
      VersionSlotPlan plan = writes.plan(entry);
      if (!allocateRecord(entry, plan)) {
        return false;
      }
      if (plan.evicts(horizon)) {
        long block = allocate(entry, OverflowLayout.SIZE_CLASS);
        if (block == PoolAddress.NULL) {
          return false;
        }
        plan.setOverflowBlock(block);
      }
    }
    return true;
  }

  /**
   * Memory for the new record. A deletion needs none if the CVT has another cell, which then holds
   * the version it deletes, and with it the key: so rows can be deleted even from a full pool.
   */
  private boolean allocateRecord(int entry, VersionSlotPlan plan) {
    int cells = writes.table(entry).versions();
    if (!writes.isPresent(entry) && cells > 1) {
      plan.setRecord(PoolAddress.NULL, 0, true);
      return true;
    }
    int sizeClass = SizeClass.of(RecordLayout.KEY_OFFSET + writes.imageLength(entry));
    long record = plan.inlineSlot(writes.cvt(entry), cells, sizeClass, horizon);
    if (record == PoolAddress.NULL) {
      record = allocate(entry, sizeClass);
    }
    if (record == PoolAddress.NULL) {
      return false;
    }
    plan.setRecord(record, sizeClass, !writes.isPresent(entry));
    channel.prefetch(record, RecordLayout.KEY_OFFSET + writes.imageLength(entry));
    return true;
  }

  /** A deletion gets what it needs from the reserve, too: the collector gives it back soon. */
  private long allocate(int entry, int sizeClass) {
    long block = writes.table(entry).allocate(allocator, sizeClass, writes.lotusKey(entry));
    return block == PoolAddress.NULL && !writes.isPresent(entry)
        ? allocator.allocateReserved(sizeClass)
        : block;
  }

  private void freeAllocated() {
    for (int entry = 0; entry < writes.size(); entry++) {
      VersionSlotPlan plan = writes.plan(entry);
      if (!isWritten(entry) || plan.newWord0() == 0) {
        continue;
      }
      if (CellLayout.hasOwnBlock(plan.newWord0())) {
        allocator.free(CellLayout.address(plan.newWord0()), CellLayout.sizeClass(plan.newWord0()));
      }
      if (plan.overflowBlock() != PoolAddress.NULL) {
        allocator.free(plan.overflowBlock(), OverflowLayout.SIZE_CLASS);
      }
      plan.clearResult();
    }
  }

  /** Draws the timestamp when all cells are INVISIBLE. */
  private void writeInvisible(int mark) {
    postForeignEvictions(mark);
    long version = CellLayout.invisible(transaction);
    int node = NO_NODE;
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!isWritten(entry)) {
        continue;
      }
      if (channel.stagingAvailable() < STAGING_RESERVE + writes.imageLength(entry)) {
        log.postStaged();
        channel.flush();
        channel.release(mark);
      }
      VersionSlotPlan plan = writes.plan(entry);
      log.add(writes.cvt(entry), plan.cell(), plan.newWord0());
      if (CellLayout.hasRecord(plan.newWord0())) {
        postRecord(entry, plan);
      }
      if (plan.overflowBlock() != PoolAddress.NULL) {
        postOverflow(entry, plan);
      } else if (plan.overflowIsDead(horizon)) {
        channel.writeLong(writes.cvt(entry) + CvtLayout.OVERFLOW_OFFSET, PoolAddress.NULL);
      }
      postCell(entry, plan, version);
      node = nodeOfAll(node, PoolAddress.node(writes.cvt(entry)));
    }
    log.post();
    if (recorded) {
      channel.flush();
      timestamp = redo.commit(redoEntry, durability, draw);
      return;
    }
    int drawn = clock.postNext(channel, node);
    channel.flush();
    timestamp = clock.drawn(channel, drawn);
  }

  /** Makes the entry of the log, which gets its place when the timestamp is drawn. */
  private void record() {
    boolean isWhole = false;
    try {
      redoEntry.begin();
      if (sender != null) {
        sender.begin();
      }
      for (int row = 0; row < writes.size(); row++) {
        if (isWritten(row)) {
          record(row);
        }
      }
      isWhole = true;
    } finally {
      if (!isWhole) {
        forget(); // checkpoints wait for a transaction that has rows in the log
      }
    }
  }

  private void record(int row) {
    if (redoEntry.isFull()) {
      part();
    }
    redoEntry.add(
        writes.table(row).id(),
        writes.images(),
        writes.imageOffset(row),
        writes.keyLength(row),
        writes.imageLength(row),
        !writes.isPresent(row));
  }

  private void part() {
    if (sender == null) {
      redo.part(redoEntry, durability);
      return;
    }
    try {
      critical.begin();
      sender.part(redoEntry, transaction);
      critical.end();
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private void forget() {
    if (sender != null) {
      sender.forget(redoEntry, transaction);
    } else {
      redo.forget(redoEntry);
    }
  }

  /** When commits are acknowledged; NONE if there is no log. */
  public Durability durability() {
    return durability;
  }

  /** Has commits be acknowledged at another moment, from the one under way on; there is a log. */
  public void setDurability(Durability value) {
    durability = value;
  }

  /** Whether who has just begun to read may see what is not on the disk. */
  public boolean isAhead() {
    return redo != null && redo.isAhead();
  }

  /**
   * Waits until what the transaction has written, or may have read, is on the disk, if that is
   * asked for. The locks have been released: who has read what it has written waits, too, since its
   * place in the log is behind.
   *
   * @param isRead whether it has read more than what was on the disk when it began
   * @throws NelumboException OUTCOME_UNKNOWN if the log cannot be written any more
   */
  public void awaitForced(boolean isRead) {
    if (redo == null || durability != Durability.COMMIT) {
      return;
    }
    try {
      if (visible && recorded) {
        redo.awaitForced(redoEntry.end());
      } else if (isRead && redo.isRecording()) {
        redo.awaitForced(redo.end());
      }
    } catch (RedoFailedException e) {
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          e.getMessage()
              + "; whether the transaction is committed shows when the database is opened again",
          e);
    }
  }

  /** The memory node of cells, with one more that is on another node or on that. */
  private static int nodeOfAll(int others, int node) {
    return others == NO_NODE || others == node ? node : SEVERAL_NODES;
  }

  private void postRecord(int entry, VersionSlotPlan plan) {
    int offset = stageRecord(entry, plan);
    channel.write(CellLayout.address(plan.newWord0()), offset, recordLength(entry));
  }

  private int recordLength(int entry) {
    return RecordLayout.KEY_OFFSET + writes.imageLength(entry);
  }

  private int stageRecord(int entry, VersionSlotPlan plan) {
    int imageLength = writes.imageLength(entry);
    int length = recordLength(entry);
    int offset = channel.reserve(length);
    RecordLayout.writeHeader(staging, offset, length, writes.keyLength(entry), plan.predecessor());
    MemorySegment.copy(
        writes.images(),
        writes.imageOffset(entry),
        staging,
        ValueLayout.JAVA_BYTE,
        offset + RecordLayout.KEY_OFFSET,
        imageLength);
    return offset;
  }

  /**
   * The old version goes to the overflow chain, and the pointer is written, before its cell is
   * overwritten.
   */
  private void postOverflow(int entry, VersionSlotPlan plan) {
    if (!isForeign(entry, plan)) {
      postEviction(plan);
    }
    channel.writeLong(writes.cvt(entry) + CvtLayout.OVERFLOW_OFFSET, plan.overflowBlock());
  }

  private boolean isForeign(int entry, VersionSlotPlan plan) {
    return PoolAddress.node(plan.overflowBlock()) != PoolAddress.node(writes.cvt(entry));
  }

  private void postEviction(VersionSlotPlan plan) {
    int offset = channel.reserve(OverflowLayout.LENGTH);
    long next = plan.overflowIsDead(horizon) ? PoolAddress.NULL : plan.overflow();
    OverflowLayout.write(staging, offset, next, plan.oldWord0(), plan.oldWord1());
    channel.write(plan.overflowBlock(), offset, OverflowLayout.LENGTH);
  }

  /**
   * Writes the overflow blocks that are on other nodes than their CVTs, before anything leads to
   * them: between nodes there is no order, and a reader that saw the pointer first would take what
   * the block was before for a version of the row.
   */
  private void postForeignEvictions(int mark) {
    boolean posted = false;
    for (int entry = 0; entry < writes.size(); entry++) {
      VersionSlotPlan plan = writes.plan(entry);
      if (!isWritten(entry)
          || plan.overflowBlock() == PoolAddress.NULL
          || !isForeign(entry, plan)) {
        continue;
      }
      if (channel.stagingAvailable() < STAGING_RESERVE) {
        channel.flush();
        channel.release(mark);
      }
      postEviction(plan);
      posted = true;
    }
    if (posted) {
      channel.flush();
      channel.release(mark);
    }
  }

  private void postCell(int entry, VersionSlotPlan plan, long version) {
    assert plan.cell() >= 0 && plan.cell() < writes.table(entry).versions() : "no such cell";
    assert plan.continuesOldCell() : "the cell's CV does not show the change";
    int offset = channel.reserve(CvtLayout.CELL_LENGTH);
    staging.set(ValueLayout.JAVA_LONG, offset, plan.newWord0());
    staging.set(ValueLayout.JAVA_LONG, offset + Long.BYTES, plan.newWord1(version));
    channel.write(
        writes.cvt(entry) + CvtLayout.cellOffset(plan.cell()), offset, CvtLayout.CELL_LENGTH);
  }

  /** Once this has begun only the pool knows whether the transaction is committed. */
  private void makeVisible(int mark) {
    try {
      critical.begin();
      if (sender != null) {
        sender.commit(redoEntry, transaction, timestamp, durability);
      }
      writeVisible();
      channel.release(mark);
      critical.end();
    } catch (RuntimeException | Error e) {
      RuntimeException stopped = critical.failed(e);
      throw new NelumboException(
          ErrorCode.OUTCOME_UNKNOWN,
          stopped.getMessage()
              + "; whether the transaction is committed shows when the pool can be reached again",
          e);
    }
  }

  private void writeVisible() {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (isWritten(entry)) {
        VersionSlotPlan plan = writes.plan(entry);
        channel.writeLong(
            writes.cvt(entry) + CvtLayout.cellOffset(plan.cell()) + Long.BYTES,
            plan.newWord1(timestamp));
      }
    }
    channel.flush();
  }

  /** From here to {@link #publishCached} nobody reads a cached copy of a CVT that is written. */
  private void invalidateCached() {
    for (int entry = 0; remote && entry < writes.size(); entry++) {
      if (isWritten(entry)) {
        invalidateCached(entry);
      }
    }
  }

  private void invalidateCached(int entry) {
    if (writes.isFresh(entry)) {
      TableStore table = writes.table(entry);
      int blockClass = writes.plan(entry).blockClass();
      cache.invalidateNew(
          table.id(), writes.lotusKey(entry), writes.cvt(entry), table.versions(), blockClass);
    } else {
      cache.invalidate(writes.lotusKey(entry));
    }
  }

  /** Cached copies follow what was written, and the records are cached. */
  private void publishCached() {
    for (int entry = 0; remote && entry < writes.size(); entry++) {
      if (isWritten(entry)) {
        VersionSlotPlan plan = writes.plan(entry);
        if (records.isEnabled() && CellLayout.hasRecord(plan.newWord0())) {
          cacheRecord(entry, plan);
        }
        cache.publish(
            writes.lotusKey(entry),
            writes.cvt(entry),
            plan.cell(),
            plan.newWord0(),
            plan.newWord1(timestamp),
            plan.newOverflow(horizon));
      }
    }
  }

  private void cacheRecord(int entry, VersionSlotPlan plan) {
    int mark = channel.mark();
    int offset = stageRecord(entry, plan);
    long address = CellLayout.address(plan.newWord0());
    records.put(address, timestamp, staging, offset, recordLength(entry));
    channel.release(mark);
  }

  /** Frees what nobody can need any more, and hands on what somebody may still need. */
  private void retireReplaced() {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!isWritten(entry)) {
        continue;
      }
      VersionSlotPlan plan = writes.plan(entry);
      if (plan.overflowIsDead(horizon)) {
        garbage.discardChain(plan.overflow(), plan.oldestVersion(), timestamp);
      } else if (plan.overflowBlock() != PoolAddress.NULL) {
        chainCut.added(writes.cvt(entry), plan.overflowBlock(), horizon, timestamp);
      }
      if (plan.freesOldRecord()) {
        freeRecord(plan.oldWord0());
      } else if (plan.overflowBlock() != PoolAddress.NULL) {
        garbage.addOverflow(
            writes.table(entry), writes.lotusKey(entry), writes.cvt(entry), timestamp);
      }
      if (!writes.isPresent(entry)) {
        garbage.addDeleted(
            writes.table(entry), writes.lotusKey(entry), writes.cvt(entry), timestamp);
      }
    }
  }

  private void freeRecord(long word0) {
    records.remove(CellLayout.address(word0));
    allocator.free(CellLayout.address(word0), CellLayout.sizeClass(word0));
  }
}
