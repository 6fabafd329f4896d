package org.nelumbo.executor.timestamp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;

/**
 * The table of snapshots in use on this compute node, which protects the versions they need from
 * being overwritten or reused (invariants 5 and 6 of {@code docs/architecture.md}). Thread-safe;
 * each coordinator has a slot of its own.
 *
 * <p><b>Rule.</b> {@link #horizon} is never above the start timestamp of a pinned slot.
 *
 * <p><b>Proof.</b> {@link #pin} first publishes the clock, then draws its start timestamp. {@link
 * #refreshHorizon} first reads the clock, then the slots. So a pin that the scan misses has a start
 * timestamp not below the clock that the scan read. A pin that the scan sees has published a value
 * not above its start timestamp.
 *
 * <p><b>Forced horizon.</b> A pin older than the retention no longer holds the horizon back. The
 * {@link #forcedHorizon} is then above its start timestamp, and its reader has to check for that.
 *
 * <p><b>Age.</b> Timestamps follow the wall clock, which may step, so they do not measure the age
 * of a pin. The clock is recorded in each quarter of the retention, by monotonic time; the horizon
 * is forced to the record of {@value #STEPS} quarters ago. A step of the wall clock changes no
 * record. A process that was stopped makes up for one quarter at most, so its pins age as if they
 * had been stopped with it.
 *
 * <p><b>Several compute nodes.</b> Each publishes its own horizon, and the lowest one counts. The
 * reader of the others' horizons passes them to {@link #setOthersHorizon}.
 */
public class Epochs {
  /**
   * Maximum number of coordinators at a time: 12 bits, without the last value, which marks
   * collectors.
   */
  public static final int MAX_SLOTS = 4095;

  private static final long IDLE = Long.MAX_VALUE;
  private static final int STRIDE = 16;

  /** Number of clock records that span the retention. */
  private static final int STEPS = 4;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Environment environment;
  private final Clock clock;
  private final long stepNanos;
  private final long[] pins = new long[(MAX_SLOTS + 1) * STRIDE];
  private final BitSet taken = new BitSet();
  private final ReentrantLock registration = new ReentrantLock();

  /** Clock values at the last steps, a ring buffer; 0 before the ring is full. */
  private final long[] notes = new long[STEPS + 1];

  private int oldestNote;

  private long notedNanos;
  private volatile int slotsEnd;
  private volatile long horizon;

  private volatile long localHorizon;

  private volatile long othersHorizon = Long.MAX_VALUE;

  private volatile long forcedHorizon;

  /**
   * Creates an empty table.
   *
   * @param retentionNanos longest time for which a snapshot may hold back the horizon
   */
  public Epochs(Environment environment, Clock clock, long retentionNanos) {
    this.environment = environment;
    this.clock = clock;
    this.stepNanos = Math.ceilDiv(retentionNanos, STEPS);
    this.notedNanos = environment.nanoTime() - stepNanos;
    java.util.Arrays.fill(pins, IDLE);
  }

  /**
   * Assigns a slot to a coordinator.
   *
   * @throws IllegalStateException if {@value #MAX_SLOTS} are in use
   */
  public int register() {
    registration.lock();
    try {
      int slot = taken.nextClearBit(0);
      if (slot >= MAX_SLOTS) {
        throw new IllegalStateException(
            "too many coordinators on one compute node; close connections or use a pool of them,"
                + " limit="
                + MAX_SLOTS);
      }
      taken.set(slot);
      slotsEnd = Math.max(slotsEnd, slot + 1);
      return slot;
    } finally {
      registration.unlock();
    }
  }

  public void unregister(int slot) {
    unpin(slot);
    registration.lock();
    try {
      taken.clear(slot);
      slotsEnd = taken.length();
    } finally {
      registration.unlock();
    }
  }

  /** Returns the number of coordinators. */
  public int registered() {
    registration.lock();
    try {
      return taken.cardinality();
    } finally {
      registration.unlock();
    }
  }

  /**
   * Pins a slot, which must not be pinned, and returns the clock as it is known here. A timestamp
   * that is drawn after this call is not below the published value.
   */
  public long pin(int slot) {
    LONGS.setVolatile(pins, index(slot), clock.settled());
    return clock.settled();
  }

  public void unpin(int slot) {
    LONGS.setRelease(pins, index(slot), IDLE);
  }

  /** Returns true if a snapshot or a statement is in progress. */
  public boolean isAnyPinned() {
    for (int slot = 0, end = slotsEnd; slot < end; slot++) {
      if ((long) LONGS.getVolatile(pins, index(slot)) != IDLE) {
        return true;
      }
    }
    return false;
  }

  /** Returns a lower bound of all start timestamps in use, as of the last refresh. */
  public long horizon() {
    return horizon;
  }

  /** Returns the timestamp below which start timestamps may have lost their versions. */
  public long forcedHorizon() {
    return forcedHorizon;
  }

  /**
   * Returns the age of the oldest snapshot or statement in progress, by the wall clock; 0 if there
   * is none. For display only.
   */
  public long oldestPinNanos() {
    long now = clock.now();
    return Timestamps.toNanos(now - oldestPin(now));
  }

  /**
   * Returns the distance between the horizon and the clock, by the wall clock. For display only.
   */
  public long horizonNanos() {
    return Timestamps.toNanos(clock.now() - horizon);
  }

  private long oldestPin(long now) {
    long oldest = now;
    for (int slot = 0, end = slotsEnd; slot < end; slot++) {
      oldest = Math.min(oldest, (long) LONGS.getVolatile(pins, index(slot)));
    }
    return oldest;
  }

  /**
   * Returns a lower bound of all start timestamps that are in use on this compute node, or ever
   * will be, as of the last refresh.
   */
  public long localHorizon() {
    return localHorizon;
  }

  /** Sets the horizon of the other compute nodes, which limits the horizon here. */
  public void setOthersHorizon(long timestamp) {
    othersHorizon = timestamp;
  }

  /** Recomputes and returns the horizon, which never decreases. */
  public long refreshHorizon() {
    long now = clock.settled();
    VarHandle.fullFence();
    long oldest = oldestPin(now);
    long limit = limit(now);
    if (oldest < limit) {
      force(limit);
      oldest = limit;
    }
    return raise(oldest);
  }

  /**
   * Returns the timestamp from which on pins are younger than the retention; records the clock if a
   * step is due.
   */
  private long limit(long now) {
    registration.lock();
    try {
      long nanos = environment.nanoTime();
      if (nanos - notedNanos >= stepNanos) {
        notedNanos = nanos;
        notes[oldestNote] = now;
        oldestNote = (oldestNote + 1) % notes.length;
      }
      return notes[oldestNote];
    } finally {
      registration.unlock();
    }
  }

  private long raise(long to) {
    registration.lock();
    try {
      localHorizon = Math.max(localHorizon, to);
      horizon = Math.max(horizon, isHeldBack() ? othersHorizon : localHorizon);
      return horizon;
    } finally {
      registration.unlock();
    }
  }

  private boolean isHeldBack() {
    return othersHorizon < localHorizon;
  }

  /** Called before the horizon rises, so that a reader that checks after its read detects it. */
  private void force(long limit) {
    registration.lock();
    try {
      forcedHorizon = Math.max(forcedHorizon, limit);
    } finally {
      registration.unlock();
    }
  }

  private static int index(int slot) {
    return (slot + 1) * STRIDE;
  }
}
