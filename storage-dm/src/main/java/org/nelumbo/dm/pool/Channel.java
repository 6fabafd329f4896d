package org.nelumbo.dm.pool;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A coordinator's connection to the pool: posts one-sided verbs and flushes them. Not thread-safe:
 * one thread at a time, with a happens-before edge between two threads that use it one after the
 * other.
 *
 * <p>Rules (the conformance kit checks them for every fabric):
 *
 * <ul>
 *   <li>A posted verb has taken effect, and the data of a READ, CAS or FAA is in the staging
 *       buffer, only after {@link #flush} has returned. The staging bytes of a posted verb must not
 *       be touched before.
 *   <li>Verbs to one node take effect in posted order; between nodes there is no order. All verbs
 *       of one flush cost one round trip.
 *   <li>Only 8-byte aligned CAS, FAA and {@link #writeLong} are atomic. A READ or WRITE moves every
 *       aligned 8-byte word whole, in no particular order of words. A concurrent WRITE may
 *       therefore tear a READ; layouts detect torn reads.
 *   <li>A READ that is posted before a write of the same bytes, in one flush, may see that write if
 *       a memory node fails meanwhile and the READ is repeated on another copy.
 *   <li>A flush that fails throws {@link FabricException}; the effect of its verbs is unknown.
 *   <li>Any method may throw an error of the JVM. Verbs that were posted before it are not sent by
 *       a later flush. If the verbs that were already sent could make copies differ, the pool is
 *       lost.
 * </ul>
 *
 * <p>The staging buffer is allocated as a stack: {@link #mark}, {@link #reserve}, {@link #release}.
 * Offsets are 8-byte aligned.
 */
public abstract class Channel implements AutoCloseable {
  private final MemorySegment staging;
  private final int stagingBytes;
  private int top;

  protected Channel(MemorySegment staging) {
    this.staging = staging;
    this.stagingBytes = Math.toIntExact(staging.byteSize());
  }

  /** Returns the registered buffer that verbs read from and write to. */
  public final MemorySegment staging() {
    return staging;
  }

  /** Returns the position of the staging stack, an argument for {@link #release}. */
  public final int mark() {
    return top;
  }

  /**
   * Reserves staging bytes, 8-byte aligned, with undefined content.
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

  /** Returns the number of bytes that can still be reserved. */
  public final int stagingAvailable() {
    return stagingBytes - top;
  }

  /** Releases everything reserved since {@code mark}. */
  public final void release(int mark) {
    assert mark >= 0 && mark <= top;
    top = mark;
  }

  /**
   * Checks that a verb's staging bytes lie in the buffer. The caller checks that the length is not
   * negative.
   *
   * @throws IllegalArgumentException if they do not
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

  /** Checks that the address of a CAS, FAA or {@link #writeLong} is that of an aligned word. */
  protected static void checkAligned(long address) {
    if ((address & 7) != 0) {
      throw new IllegalArgumentException(
          "word not aligned to 8 bytes address=" + PoolAddress.toString(address));
    }
  }

  /** Posts a READ of {@code length} bytes of the pool into the staging buffer. */
  public abstract void read(long address, int stagingOffset, int length);

  /**
   * Returns true if {@link #readArray} may be called: the pool is memory of this process, and a
   * READ takes effect when it is posted. Channels that observe or delay verbs return false.
   */
  public boolean canReadArray() {
    return false;
  }

  /**
   * Posts a READ of bytes that no WRITE changes meanwhile into an array instead of the staging
   * buffer, which saves a copy.
   *
   * @throws UnsupportedOperationException if {@link #canReadArray} returns false
   */
  public void readArray(long address, byte[] target, int offset, int length) {
    throw new UnsupportedOperationException("this channel reads into its staging buffer only");
  }

  /** Posts a WRITE of {@code length} staging bytes into the pool. */
  public abstract void write(long address, int stagingOffset, int length);

  /** Posts an inline WRITE of one 8-byte word (aligned, atomic); needs no staging. */
  public abstract void writeLong(long address, long value);

  /**
   * Posts a {@link #writeLong} that releases a word which others acquire by CAS, such as a latch.
   * Until it is done only the caller changes the word, whose value is {@code held}.
   */
  public void writeRelease(long address, long held, long value) {
    writeLong(address, value);
  }

  /**
   * Posts a compare-and-swap of one aligned 8-byte word; the word's old value arrives at {@code
   * stagingOffset}, for {@link #hasSwapped}.
   *
   * <p>A value other than {@code expected} is only a hint: if compute nodes share replicated
   * memory, this value may still be on its way to the primary and may be undone. It must not become
   * the {@code expected} value of another compare-and-swap. That value comes from a READ, which may
   * be posted after this verb.
   */
  public abstract void compareAndSwap(
      long address, long expected, long replacement, int stagingOffset);

  /** Returns true, after the flush, if a compare-and-swap replaced the expected value. */
  public final boolean hasSwapped(int stagingOffset, long expected) {
    return staging.get(ValueLayout.JAVA_LONG, stagingOffset) == expected;
  }

  /**
   * Posts a fetch-and-add on one aligned 8-byte word; the word's old value arrives at {@code
   * stagingOffset}.
   */
  public abstract void fetchAndAdd(long address, long delta, int stagingOffset);

  /**
   * Returns true if this fabric's memory nodes support {@link #digest}, in which their processors
   * take part.
   */
  public boolean canDigest() {
    return false;
  }

  /**
   * Posts a request to the memory node for the {@link WindowDigest} of some bytes of the pool, as a
   * READ would see them. The digest arrives at {@code stagingOffset}.
   *
   * @param length at most {@link WindowDigest#WINDOW_BYTES_MAX}
   * @throws UnsupportedOperationException if the fabric has no digests
   */
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    throw new UnsupportedOperationException("this fabric has no digests");
  }

  /**
   * Hints that these bytes of the pool will be read soon; this is not a verb. If the pool is memory
   * of this machine, they may be brought into the processor's cache, so that the cache misses of
   * several hints overlap. Otherwise, and for addresses outside the pool, it has no effect.
   */
  public void prefetch(long address, int length) {}

  /**
   * Hints that the posted verbs may be sent now; {@link #flush} waits for them. A thread that
   * starts several channels before it flushes them waits for one round trip only. No verb is posted
   * between this call and the flush.
   */
  public void start() {}

  /** Waits until all posted verbs are done. */
  public abstract void flush();

  /**
   * Flushes WRITEs whose places are named by commit logs in front of them in the same flush ({@link
   * org.nelumbo.dm.layout.CommitLogLayout}). No other compute node uses what they change before
   * they are published in the commit vector. So copies may receive them in any order, and nothing
   * else has to record them: if this compute node fails, the copies are made equal by the logs.
   */
  public void flushLogged() {
    flush();
  }

  /**
   * Flushes WRITEs that raise words of the commit vector, which only this compute node writes. All
   * backups have them before the primary. Nothing else has to record them: if this compute node
   * fails, the largest value of each word counts.
   */
  public void flushRaised() {
    flush();
  }

  /**
   * Returns true if flushes of this process may be delayed by a memory node that does not respond.
   * A thread that waits for another compute node's flushes does not count that time.
   */
  public boolean isHeldUp() {
    return false;
  }

  /**
   * Gives up the verbs posted since the last flush, because the caller cannot continue. Verbs that
   * are not sent yet are never sent; verbs that are in flight are waited for. The effect of all of
   * them is unknown. A caller that has given up writes leaves the pool half changed and must take
   * it out of use ({@link Fabric#lose}).
   */
  public void discard() {
    try {
      flush();
    } catch (FabricException e) {
      // the effect of these verbs is unknown in any case
    }
  }

  @Override
  public abstract void close();
}
