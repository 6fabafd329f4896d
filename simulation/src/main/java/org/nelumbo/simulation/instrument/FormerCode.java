package org.nelumbo.simulation.instrument;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Field;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.RedoLog;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.index.UniqueCheck;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.Snapshot;
import org.nelumbo.executor.timestamp.Timestamps;
import org.nelumbo.executor.timestamp.VectorClock;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * The code of methods of the engine before a defect was fixed, for defects that are more than an
 * omitted call. Each method takes the object first, then the arguments. Called by planted code.
 */
public final class FormerCode {
  private static final int STEPS = 4;
  private static final int TRIPS_A_WORD = 20;

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
      Field field = of.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return type.cast(field.get(of));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the former code no longer compiles with the engine", e);
    }
  }
}
