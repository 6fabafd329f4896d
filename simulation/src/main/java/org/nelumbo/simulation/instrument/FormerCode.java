package org.nelumbo.simulation.instrument;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.dm.replication.view.View;
import org.nelumbo.dm.superblock.CommitVector;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cache.CvtCache;
import org.nelumbo.executor.commit.LotusCommitter;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.index.UniqueCheck;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.executor.timestamp.Timestamps;
import org.nelumbo.executor.timestamp.VectorClock;
import org.nelumbo.executor.version.BlockRun;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * The code of methods of the engine before a defect was fixed, for defects that are more than an
 * omitted call. Each method takes the object first, then the arguments; an object of a class that
 * is not public is an {@code Object}. Called by planted code.
 */
public final class FormerCode {
  private static final int STEPS = 4;
  private static final int TRIPS_A_WORD = 20;

  private static final ThreadLocal<Integer> NEAREST = new ThreadLocal<>();

  private FormerCode() {}

  /**
   * {@link UniqueCheck}: reads the newest version of a row that this compute node has not locked.
   */
  public static Outcome readNewest(UniqueCheck check, TableStore table, long lotusKey, long cvt) {
    Channel channel = field(check, "channel", Channel.class);
    VersionReader reader = field(check, "reader", VersionReader.class);
    int mark = channel.mark();
    int offset = reader.readCvt(table, cvt);
    boolean exists =
        CvtLayout.lotusKey(channel.staging(), offset) == lotusKey
            && VisibilityRules.newest(channel.staging(), offset, table.versions()) >= 0
            && reader.chooseNewest(offset, table.versions())
            && !reader.isDeleted();
    if (exists) {
      reader.readRecord();
      reader.copyImage(field(check, "image", RowBuffer.class), 0);
    }
    channel.release(mark);
    return exists ? Outcome.OK : Outcome.NOT_FOUND;
  }

  /** {@link Epochs}: measures the age of a snapshot by the wall clock, which may jump. */
  public static long wallClockLimit(Epochs epochs, long now) {
    return now - Timestamps.ofNanos(STEPS * field(epochs, "stepNanos", Long.class));
  }

  /** {@code OwnedCopiesOfAll}: keeps the copy of a row whose lock key could be an address. */
  public static void writtenUnlessLeaf(CvtCache cvts, long key) {
    if (key >>> PoolAddress.BITS != 0) {
      cvts.written(key);
    }
  }

  /** {@link VectorClock}: returns the last timestamp, which other compute nodes may have passed. */
  public static long drawn(VectorClock clock) {
    return clock.now();
  }

  /** {@link VectorClock}: reads the vector word by word, with some round trips in between. */
  public static boolean readTorn(VectorClock clock, Channel channel, Snapshot into) {
    int count = field(clock, "width", Integer.class);
    long vector = field(clock, "vector", Long.class);
    int mark = channel.mark();
    int offset = channel.reserve(count * Long.BYTES);
    for (int i = 0; i < TRIPS_A_WORD * count; i++) {
      int word = i / TRIPS_A_WORD * Long.BYTES;
      channel.read(vector + word, offset + word, Long.BYTES);
      channel.flush();
    }
    into.setVector(channel.staging(), offset + Long.BYTES, count - 1);
    channel.release(mark);
    return true;
  }

  /**
   * {@link VectorClock}: opens the ticket of a commit only after the draw, and some round trips
   * later.
   */
  public static long drawFirst(VectorClock clock, Channel channel, int slot) {
    long drawn = field(clock, "time", AtomicLong.class).incrementAndGet();
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    for (int i = 0; i < TRIPS_A_WORD; i++) {
      channel.read(field(clock, "vector", Long.class), offset, Long.BYTES);
      channel.flush();
    }
    channel.release(mark);
    call(field(clock, "tickets", Object.class), "open", slot, drawn - 1);
    return drawn << CommitVector.SLOT_BITS | field(clock, "entry", Integer.class);
  }

  /** {@link LotusCommitter}: the log of a commit follows the cells that it names. */
  public static void writeLogLast(LotusCommitter committer, int mark) {
    Channel channel = field(committer, "channel", Channel.class);
    WriteSet writes = field(committer, "writes", WriteSet.class);
    Object cells = field(committer, "cells", Object.class);
    long horizon = (long) call(field(committer, "memory", Object.class), "horizon");
    call(cells, "writeForeignEvictions", mark, horizon);
    long timestamp =
        field(committer, "clock", Clock.class)
            .next(channel, field(committer, "slot", Integer.class));
    set(committer, "timestamp", timestamp);
    for (int entry = 0; entry < writes.size(); entry++) {
      if ((boolean) call(writes, "isWritten", entry)) {
        call(cells, "post", entry, horizon, timestamp);
      }
    }
    call(cells, "postNewRows");
    channel.flushLogged();
    call(field(committer, "log", Object.class), "postParts", writes, timestamp);
    channel.flushLogged();
  }

  /** {@link VectorClock}: reads the vector at the copy of {@link #nearestCopy}. */
  public static boolean readNearest(VectorClock clock, Channel channel, Snapshot into) {
    NEAREST.set(field(clock, "entry", Integer.class));
    try {
      return (boolean) call(clock, "tryRead", channel, into);
    } finally {
      NEAREST.remove();
    }
  }

  /** {@code SharedFlush}: a copy that depends on the compute node, if the vector is read. */
  public static int nearestCopy(View view, int logical) {
    Integer nearest = NEAREST.get();
    int copies = view.placement().copies();
    int copy = nearest == null ? view.primaryCopy(logical) : nearest % copies;
    while (!view.isLive(view.placement().node(logical, copy))) {
      copy = (copy + 1) % copies;
    }
    return copy;
  }

  /** {@code RowOperations}: trusts a tentative snapshot that finds no row. */
  public static Outcome trustAbsence(
      Object operations, TableStore table, KeyBuffer key, RowBuffer out) {
    ReadView view = field(operations, "view", ReadView.class);
    RowFinder finder = field(operations, "finder", RowFinder.class);
    view.beginCall();
    Outcome status;
    do {
      status = finder.findVisible(table, key, view.snapshot(), out);
    } while (status != Outcome.NOT_FOUND && view.mustReadAgain());
    return status;
  }

  /** {@code LockService}: copies of the row stay in the cache of the owner of the lock. */
  public static void releaseUnnoticed(Object service, Object grants, int at) {
    field(service, "table", LockTable.class)
        .release((long) call(grants, "key", at), (LockMode) call(grants, "mode", at));
    call(grants, "remove", at);
    set(service, "grantCount", field(service, "grantCount", Integer.class) - 1);
  }

  /** {@link BlockRun}: accepts a block that does not follow the last one, but is close to it. */
  public static boolean isCloseBy(BlockRun run, long block) {
    long distance = block - field(run, "end", Long.class);
    return run.isEmpty() || distance >= 0 && distance <= 2L * CvtLayout.bytes(2);
  }

  /** {@code PoolRecovery}: one damaged table makes the whole pool unusable. */
  public static void refusePool(PoolRecovery recovery, TableStore table, String why) {
    if (why != null) {
      throw new NelumboException(
          ErrorCode.DATA_CORRUPTED,
          "the pool is broken: " + why + " table=" + table.schema().name());
    }
  }

  /**
   * {@link DonatedMemory}: takes the value that a failed CAS found at the last backup for the value
   * of the word, although it may not be decided.
   */
  public static boolean exchangeFound(DonatedMemory left, long from, long to, int at) {
    Channel channel = field(left, "channel", Channel.class);
    channel.compareAndSwap(field(left, "place", Long.class), from, to, at);
    channel.flush();
    MemorySegment staging = channel.staging();
    staging.set(ValueLayout.JAVA_LONG, at + Long.BYTES, staging.get(ValueLayout.JAVA_LONG, at));
    return channel.hasSwapped(at, from);
  }

  /** {@link RedoLog}: returns the forced position at the time when a frame gets its location. */
  public static long forcedWhenPlaced(RedoLog log) {
    return log.forced();
  }

  private static <T> T field(Object of, String name, Class<T> type) {
    try {
      return type.cast(field(of, name).get(of));
    } catch (ReflectiveOperationException e) {
      throw outdated(e);
    }
  }

  private static void set(Object of, String name, Object value) {
    try {
      field(of, name).set(of, value);
    } catch (ReflectiveOperationException e) {
      throw outdated(e);
    }
  }

  private static Field field(Object of, String name) throws NoSuchFieldException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private static Object call(Object of, String name, Object... arguments) {
    try {
      for (Method each : of.getClass().getDeclaredMethods()) {
        if (each.getName().equals(name) && each.getParameterCount() == arguments.length) {
          each.setAccessible(true);
          return each.invoke(of, arguments);
        }
      }
      throw new NoSuchMethodException(name);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    } catch (ReflectiveOperationException e) {
      throw outdated(e);
    }
  }

  private static IllegalStateException outdated(ReflectiveOperationException e) {
    return new IllegalStateException("the former code no longer compiles with the engine", e);
  }
}
