package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A coordinator's connection to the pool: posts one-sided verbs and flushes them. Not thread-safe:
 * one thread at a time, with a happens-before edge between them.
 *
 * <p>Rules (the conformance kit holds every fabric to them):
 *
 * <ul>
 *   <li>A posted verb has taken effect, and the data of a READ, CAS or FAA is in the staging
 *       buffer, only after {@link #flush} returned. The staging bytes of a posted verb must not be
 *       touched before.
 *   <li>Verbs to one node take effect in posted order; between nodes there is no order. Verbs
 *       posted and flushed once cost one round trip.
 *   <li>Only 8-byte aligned CAS, FAA and {@link #writeLong} are atomic. A READ or WRITE moves every
 *       aligned 8-byte word whole, in no particular order of words, so a READ may be torn by a
 *       concurrent WRITE: layouts detect that.
 *   <li>A READ that is posted before a write of the same bytes, in one flush, may see that write if
 *       a memory node dies meanwhile and the READ is done on another copy.
 *   <li>If a flush fails it throws {@link FabricException}, and nothing is known about its verbs.
 *   <li>An error of the JVM may leave any of the methods. Nothing that was posted until then is
 *       sent by a later flush; where copies could differ by what was sent, the pool is lost.
 * </ul>
 *
 * <p>The staging buffer is handed out as a stack: {@link #mark}, {@link #reserve}, {@link
 * #release}. Offsets are 8-byte aligned.
 */
public abstract class Channel implements AutoCloseable {
  private final MemorySegment staging;
  private final int stagingBytes;
  private int top;

  protected Channel(MemorySegment staging) {
    this.staging = staging;
    this.stagingBytes = Math.toIntExact(staging.byteSize());
  }

  /** The registered buffer that verbs read from and write to. */
  public final MemorySegment staging() {
    return staging;
  }

  /** Position of the staging stack, to be given to {@link #release}. */
  public final int mark() {
    return top;
  }

  /**
   * Reserves staging bytes, 8-byte aligned, content undefined.
   *
   * @throws IllegalStateException if the buffer is too small; callers split batches by {@link
   *     #stagingAvailable}
   */
  public final int reserve(int bytes) {
    int offset = top;
    int next = offset + ((bytes + 7) & -8);
    if (next > stagingBytes) {
      throw new IllegalStateException(
          "staging buffer exhausted bytes=" + bytes + " available=" + (stagingBytes - top));
    }
    top = next;
    return offset;
  }

  /** Bytes that can still be reserved. */
  public final int stagingAvailable() {
    return stagingBytes - top;
  }

  /** Gives back everything reserved since {@code mark}. */
  public final void release(int mark) {
    assert mark >= 0 && mark <= top;
    top = mark;
  }

  /**
   * Checks that a verb's staging bytes are in the buffer.
   *
   * @throws IllegalArgumentException if they are not; the length is checked by the caller
   */
  protected final void checkStaging(int offset, int length) {
    if ((offset | stagingBytes - offset - length) < 0) {
      throw outsideStaging(offset, length);
    }
  }

  private IllegalArgumentException outsideStaging(int offset, int length) {
    return new IllegalArgumentException(
        "outside the staging buffer offset="
            + offset
            + " length="
            + length
            + " stagingBytes="
            + stagingBytes);
  }

  /** Checks that CAS, FAA and {@link #writeLong} get the address of an aligned word. */
  protected static void checkAligned(long address) {
    if ((address & 7) != 0) {
      throw new IllegalArgumentException(
          "word not aligned to 8 bytes address=" + PoolAddress.toString(address));
    }
  }

  /** Posts a READ of {@code length} bytes of the pool into the staging buffer. */
  public abstract void read(long address, int stagingOffset, int length);

  /** Posts a WRITE of {@code length} staging bytes into the pool. */
  public abstract void write(long address, int stagingOffset, int length);

  /** Posts an inline WRITE of one 8-byte word (aligned, atomic); needs no staging. */
  public abstract void writeLong(long address, long value);

  /**
   * Posts a {@link #writeLong} by which the caller gives up what others wait for by CAS, as a latch
   * is: until it is done nobody but the caller changes the word, which has {@code held}.
   */
  public void writeRelease(long address, long held, long value) {
    writeLong(address, value);
  }

  /**
   * Posts a compare-and-swap of one aligned 8-byte word; the word's old value arrives at {@code
   * stagingOffset}, for {@link #hasSwapped}.
   *
   * <p>A value other than {@code expected} is a hint: where compute nodes share copies it may be on
   * its way to the primary, and be taken back. It must not be the {@code expected} of another
   * compare-and-swap. That comes from a READ, which may be posted behind this one.
   */
  public abstract void compareAndSwap(
      long address, long expected, long replacement, int stagingOffset);

  /** Returns true, after the flush, if a compare-and-swap has replaced what it expected. */
  public final boolean hasSwapped(int stagingOffset, long expected) {
    return staging.get(ValueLayout.JAVA_LONG, stagingOffset) == expected;
  }

  /**
   * Posts a fetch-and-add on one aligned 8-byte word; the word's old value arrives at {@code
   * stagingOffset}.
   */
  public abstract void fetchAndAdd(long address, long delta, int stagingOffset);

  /** Whether this fabric's memory nodes can {@link #digest}: their processors take part in that. */
  public boolean canDigest() {
    return false;
  }

  /**
   * Posts that the memory node puts the {@link WindowDigest} of some bytes of the pool, as a READ
   * would see them, at {@code stagingOffset}.
   *
   * @param length at most {@link WindowDigest#WINDOW_BYTES_MAX}
   * @throws UnsupportedOperationException if it cannot
   */
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    throw new UnsupportedOperationException("this fabric has no digests");
  }

  /**
   * A hint, not a verb: these bytes of the pool are about to be read. Where the pool is this
   * machine's memory, they may be brought into the processor's cache, so that the reads of several
   * hints overlap; elsewhere, and outside the pool, nothing happens.
   */
  public void prefetch(long address, int length) {}

  /**
   * A hint: what was posted may go on its way, {@link #flush} will wait for it. So whoever uses
   * several channels pays for one round trip. Nothing is posted between this and the flush.
   */
  public void start() {}

  /** Waits until all posted verbs are done. */
  public abstract void flush();

  /**
   * Whether flushes of this process may be held up by a memory node that does not answer. Who waits
   * for what another does in its flushes does not count that time.
   */
  public boolean isHeldUp() {
    return false;
  }

  /**
   * Gives up what was posted since the last flush, because its user cannot go on: what is not on
   * its way yet is never sent, what is, is waited for. Nothing is known about these verbs. Whoever
   * has given up writes leaves the pool half changed, and has to take it out of use ({@link
   * Fabric#lose}).
   */
  public void discard() {
    try {
      flush();
    } catch (FabricException e) {
      // it was not done, or nobody is to know
    }
  }

  @Override
  public abstract void close();
}
