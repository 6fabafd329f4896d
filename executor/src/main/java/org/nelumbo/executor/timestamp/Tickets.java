package org.nelumbo.executor.timestamp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.nelumbo.dm.env.Environment;

/**
 * The commits of this compute node that have, or are about to have, a timestamp, and whose cells
 * may not be in the pool yet. Each coordinator has a slot, which only its thread changes.
 * Thread-safe.
 *
 * <p><b>Rule.</b> All commits with timestamps up to {@link #landed} have their cells in the pool.
 * It is the smaller of the clock and the lowest open ticket, and reads the clock first.
 *
 * <p><b>Proof.</b> A commit opens its ticket before it draws its timestamp {@code t}. The ticket is
 * less than {@code t}, and stays open until the cells are in the pool. If the scan finds the ticket
 * open, the result is less than {@code t}. If the ticket was closed before, the cells are in the
 * pool. If it was opened after the scan, {@code t} is drawn after the clock was read, and is larger
 * than that reading. A release store is enough to open it: a thread that reads the clock after the
 * draw, which is an atomic addition, also reads the ticket.
 */
final class Tickets {
  private static final long CLOSED = Long.MAX_VALUE;

  /** Distance between the slots, in longs: a cache line. */
  private static final int STRIDE = 8;

  private static final int BLOCK_BITS = 6;
  private static final int BLOCK_MASK = (1 << BLOCK_BITS) - 1;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Blocks of slots; null until one of their slots is used. */
  private final AtomicReferenceArray<long[]> blocks =
      new AtomicReferenceArray<>((Epochs.MAX_SLOTS >> BLOCK_BITS) + 1);

  /**
   * Opens the ticket of a slot.
   *
   * @param clock a reading of the clock: the timestamp that is drawn afterwards is larger
   */
  void open(int slot, long clock) {
    LONGS.setRelease(block(slot), index(slot), clock);
  }

  private long[] block(int slot) {
    long[] block = blocks.get(slot >> BLOCK_BITS);
    return block != null ? block : newBlock(slot >> BLOCK_BITS);
  }

  private long[] newBlock(int at) {
    long[] made = new long[(BLOCK_MASK + 2) * STRIDE];
    Arrays.fill(made, CLOSED);
    long[] other = blocks.compareAndExchange(at, null, made);
    return other == null ? made : other;
  }

  /** Opens the ticket of a slot, and draws the next timestamp from a clock. */
  long draw(int slot, AtomicLong clock) {
    open(slot, clock.get());
    long drawn = clock.incrementAndGet();
    open(slot, drawn - 1);
    return drawn;
  }

  /** Returns a timestamp up to which all commits that were drawn from a clock have landed. */
  long landed(AtomicLong clock) {
    long drawn = clock.get();
    return Math.min(drawn, oldest());
  }

  /** Closes the ticket of a slot: the cells of its commit are in the pool. */
  void close(int slot) {
    LONGS.setRelease(block(slot), index(slot), CLOSED);
  }

  /** Returns the lowest open ticket; the largest number if none is open. */
  long oldest() {
    long oldest = CLOSED;
    for (int at = 0; at < blocks.length(); at++) {
      long[] block = blocks.get(at);
      for (int slot = 0; block != null && slot <= BLOCK_MASK; slot++) {
        oldest = Math.min(oldest, (long) LONGS.getVolatile(block, index(slot)));
      }
    }
    return oldest;
  }

  /** Waits until each ticket that is open now has been closed. */
  void awaitClosed(Environment environment) {
    for (int at = 0; at < blocks.length(); at++) {
      long[] block = blocks.get(at);
      for (int slot = 0; block != null && slot <= BLOCK_MASK; slot++) {
        awaitClosed(environment, block, index(slot));
      }
    }
  }

  private static void awaitClosed(Environment environment, long[] block, int index) {
    long ticket = (long) LONGS.getVolatile(block, index);
    for (int attempt = 0;
        ticket != CLOSED && (long) LONGS.getVolatile(block, index) == ticket;
        attempt++) {
      environment.backoff(attempt);
    }
  }

  private static int index(int slot) {
    return ((slot & BLOCK_MASK) + 1) * STRIDE;
  }
}
