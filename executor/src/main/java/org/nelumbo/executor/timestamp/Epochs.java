package org.nelumbo.executor.timestamp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;

/**
 * The table of snapshots in use on this compute node, so that nothing they need is overwritten or
 * reused (invariants 5 and 6 of {@code docs/architecture.md}).
 *
 * <p>A coordinator has a slot. {@link #pin} first publishes the clock, then draws its start
 * timestamp; {@link #refreshHorizon} first reads the clock, then the slots. So a pin that the scan
 * misses has a start timestamp not below the clock that the scan read, and one that it sees is not
 * above its start timestamp: {@link #horizon} is never above the start timestamp of anybody who is
 * pinned.
 *
 * <p>A pin older than the retention no longer holds the horizon back; the {@link #forcedHorizon} is
 * then above its start timestamp, and its reader has to notice.
 *
 * <p><b>Age.</b> Timestamps follow the wall clock, which may step, so they do not tell how old a
 * pin is. Each quarter of the retention, by monotonic time, the clock is noted; the note of {@value
 * #STEPS} quarters ago is where the horizon is forced to. A step of the wall clock changes no note.
 * A process that was stopped makes up for one quarter at most: its pins go on as if they had been
 * stopped with it.
 *
 * <p><b>Several compute nodes.</b> Each publishes its own horizon; the lowest of all holds. What is
 * known of the others is set by whoever reads it.
 *
 * <p>Thread-safe; a slot belongs to one coordinator.
 */
public class Epochs {
  /**
   * Most coordinators at a time: what 12 bits tell apart, but for the last, which marks collectors.
   */
  public static final int MAX_SLOTS = 4095;

  private static final long IDLE = Long.MAX_VALUE;
  private static final int STRIDE = 16;

  /** Notes of the clock that make up the retention. */
  private static final int STEPS = 4;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Environment environment;
  private final Clock clock;
  private final long stepNanos;
  private final long[] pins = new long[(MAX_SLOTS + 1) * STRIDE];
  private final BitSet taken = new BitSet();
  private final ReentrantLock registration = new ReentrantLock();

  /** What the clock showed at the last steps, a ring; 0 before there were so many. */
  private final long[] notes = new long[STEPS + 1];

  /** The place of the oldest note, which is the next one to be overwritten. */
  private int oldestNote;

  private long notedNanos;
  private volatile int slotsEnd;
  private volatile long horizon;

  /** That of this compute node alone. */
  private volatile long localHorizon;

  /** A lower bound of the others'. */
  private volatile long othersHorizon = Long.MAX_VALUE;

  private volatile long forcedHorizon;

  /**
   * @param retentionNanos how long a snapshot may hold back the horizon
   */
  public Epochs(Environment environment, Clock clock, long retentionNanos) {
    this.environment = environment;
    this.clock = clock;
    this.stepNanos = Math.ceilDiv(retentionNanos, STEPS);
    this.notedNanos = environment.nanoTime() - stepNanos;
    java.util.Arrays.fill(pins, IDLE);
  }

  /**
   * Gives a coordinator a slot.
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

  /** Number of coordinators. */
  public int registered() {
    registration.lock();
    try {
      return taken.cardinality();
    } finally {
      registration.unlock();
    }
  }

  /**
   * Begins to use a snapshot, the slot must not be pinned. A timestamp that is drawn after this is
   * not below what is held back; what is known of the clock is answered.
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

  /** A lower bound of all start timestamps in use, as of the last refresh. */
  public long horizon() {
    return horizon;
  }

  /** Start timestamps below it have lost their versions. */
  public long forcedHorizon() {
    return forcedHorizon;
  }

  /**
   * Age of the oldest snapshot or statement in progress; 0 if there is none. By the wall clock, for
   * people.
   */
  public long oldestPinNanos() {
    long now = clock.now();
    return Timestamps.toNanos(now - oldestPin(now));
  }

  /** How far the horizon is behind the clock, likewise. */
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
   * A lower bound of all start timestamps that are in use on this compute node, or ever will be, as
   * of the last refresh.
   */
  public long localHorizon() {
    return localHorizon;
  }

  /** Notes the horizon of the other compute nodes, which holds back this one's. */
  public void setOthersHorizon(long timestamp) {
    othersHorizon = timestamp;
  }

  /** Computes the horizon anew; it never goes back. */
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
   * The timestamp from which on pins are younger than the retention; notes the clock if it is time.
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

  /** Whether another compute node needs what nobody here does. */
  private boolean isHeldBack() {
    return othersHorizon < localHorizon;
  }

  /** Published before the horizon rises, so that a reader that checks after its read knows. */
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
