package org.nelumbo.executor.commit;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.gc.GarbageList;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.timestamp.Clock;

/**
 * Commits the writes of a transaction (LOTUS section 5.1, phase 2).
 *
 * <ol>
 *   <li>It allocates memory.
 *   <li>It writes records, INVISIBLE cells and the log in one round trip.
 *   <li>It draws the commit timestamp.
 *   <li>It writes the timestamp into the cells in another round trip.
 * </ol>
 *
 * <p>If the clock {@link Clock#publishes}, the timestamp is drawn before step 2, and the cells have
 * it from the beginning: then the transaction becomes visible by the publication, which follows
 * step 2. Only a transaction with too many rows takes the other steps first.
 *
 * <p>The caller holds the write locks throughout and releases them afterwards. Not thread-safe.
 *
 * <p>If the commit stops before the timestamp is drawn, the log is incomplete, or it names every
 * INVISIBLE cell and none has a timestamp. Then recovery undoes the transaction. If the commit
 * stops later and some cell has its timestamp, recovery writes it into the others. If no cell has
 * one, the commit was not acknowledged, and recovery undoes it. Where memory nodes keep a log, it
 * has the rows before the timestamps of the cells are written, and a transaction in that log is not
 * undone. The next compute node that attaches to the pool decides this ({@code executor.recovery}).
 */
public final class LotusCommitter extends CommitProtocol {
  private static final int NO_NODE = -2;

  private static final int SEVERAL_NODES = -1;

  private final Channel channel;
  private final WriteSet writes;
  private final TransactionLog log;
  private final CommitLog durableLog;
  private final VersionMemory memory;
  private final CellWriter cells;
  private final CacheUpdate caches;
  private final CriticalSection critical;
  private final Clock clock;
  private final Environment environment;
  private final int slot;

  private long transaction;
  private long timestamp;

  private boolean visible;

  /** True if the cells have their timestamp from the beginning. */
  private boolean isDirect;

  public LotusCommitter(
      CoordinatorContext context,
      WriteSet writes,
      TransactionLog log,
      CommitLog durableLog,
      GarbageList garbage) {
    this.channel = context.channel();
    this.writes = writes;
    this.log = log;
    this.durableLog = durableLog;
    this.memory = new VersionMemory(context, writes, garbage);
    this.cells = new CellWriter(channel, writes, context.caches().isRemote());
    this.caches = new CacheUpdate(context.caches(), channel, writes, cells);
    this.critical = context.critical();
    this.clock = context.clock();
    this.environment = context.environment();
    this.slot = context.slot();
  }

  @Override
  public void begin() {
    visible = false;
    cells.begin();
    durableLog.begin();
  }

  /**
   * Commits. Reserves the log first: a session whose first insert finds the pool full then has a
   * log, and can delete.
   */
  @Override
  public Outcome commit() {
    caches.invalidate();
    memory.begin();
    if (!reserveLog() || !memory.allocate()) {
      memory.freeAllocated();
      log.giveReserveBack();
      return Outcome.EXHAUSTED;
    }
    boolean publishes = clock.publishes();
    isDirect = publishes && log.reserveParts(writes);
    transaction = log.begin();
    durableLog.record(writes, transaction);
    if (publishes) {
      clock.raiseAbove(newestReplaced());
    }
    write();
    return Outcome.OK;
  }

  /**
   * Writes and publishes, in one critical section: if an exception left the ticket of this commit
   * open and the engine continued, its other commits would wait for ever.
   */
  private void write() {
    int mark = channel.mark();
    boolean written = false;
    try {
      critical.begin();
      if (isDirect) {
        writeDirectly(mark);
      } else {
        writeInvisible(mark);
      }
      written = true;
      makeVisible(mark);
      critical.end();
      visible = true;
    } catch (RuntimeException | Error e) {
      RuntimeException stopped = critical.failed(e);
      throw written ? outcomeUnknown(stopped, e) : stopped;
    }
  }

  /** Only the pool shows whether the writes are committed. */
  private static NelumboException outcomeUnknown(RuntimeException stopped, Throwable cause) {
    return new NelumboException(
        ErrorCode.OUTCOME_UNKNOWN,
        stopped.getMessage()
            + "; the outcome of the transaction is known when the pool can be reached again",
        cause);
  }

  @Override
  public boolean isVisible() {
    return visible;
  }

  @Override
  public void tidyUp() {
    caches.publish(memory.horizon(), timestamp);
    memory.retireReplaced(timestamp);
    log.giveReserveBack();
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

  /** Returns the largest version that this commit replaces; versions of a row have to increase. */
  private long newestReplaced() {
    long newest = 0;
    for (int entry = 0; entry < writes.size(); entry++) {
      if (writes.isWritten(entry)) {
        newest = Math.max(newest, writes.plan(entry).predecessor());
      }
    }
    return newest;
  }

  /**
   * Draws the timestamp, and writes the logs and then the cells with it. No snapshot contains the
   * timestamp before it is published.
   */
  private void writeDirectly(int mark) {
    cells.writeForeignEvictions(mark, memory.horizon());
    timestamp = clock.next(channel, slot);
    log.postParts(writes, timestamp);
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!writes.isWritten(entry)) {
        continue;
      }
      if (!cells.fits(entry)) {
        cells.postNewRows();
        channel.flushLogged();
        channel.release(mark);
      }
      cells.post(entry, memory.horizon(), timestamp);
    }
    cells.postNewRows();
    channel.flushLogged();
  }

  /** Writes the INVISIBLE cells and everything that they lead to, and then draws the timestamp. */
  private void writeInvisible(int mark) {
    cells.writeForeignEvictions(mark, memory.horizon());
    int node = NO_NODE;
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!writes.isWritten(entry)) {
        continue;
      }
      if (!cells.fits(entry)) {
        cells.postNewRows();
        log.postStaged();
        channel.flush();
        channel.release(mark);
      }
      log.add(writes.cvt(entry), writes.plan(entry).cell(), writes.plan(entry).newWord0());
      cells.post(entry, memory.horizon(), CellLayout.invisible(transaction));
      node = nodeOfAll(node, PoolAddress.node(writes.cvt(entry)));
    }
    cells.postNewRows();
    log.post();
    timestamp = durableLog.drawTimestamp(channel, node);
  }

  private static int nodeOfAll(int others, int node) {
    return others == NO_NODE || others == node ? node : SEVERAL_NODES;
  }

  private void makeVisible(int mark) {
    durableLog.beforeVisible(transaction, timestamp);
    if (!isDirect) {
      cells.writeVisible(timestamp);
    }
    channel.release(mark);
    clock.landed(slot);
    clock.publish(channel, environment, timestamp);
  }
}
