package org.nelumbo.executor.timestamp;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jetbrains.lincheck.datastructures.Operation;

/**
 * Commits with tickets, and their publication, for Lincheck. In no order may a commit be published
 * whose cells are not in the pool.
 */
public class TicketDraws {
  private static final int DRAWS_MAX = 64;
  private static final int SLOTS = 64;

  final AtomicLong clock = new AtomicLong();
  final Tickets tickets = new Tickets();

  /** 1 for each timestamp whose commit has its cells in the pool. */
  private final AtomicLongArray cells = new AtomicLongArray(DRAWS_MAX);

  /** A clock that opens a ticket only after the draw, which Lincheck must find. */
  public static final class DrawnFirst extends TicketDraws {
    @Override
    long draw(int slot) {
      long drawn = clock.incrementAndGet();
      tickets.open(slot, drawn - 1);
      return drawn;
    }
  }

  /** A clock that is read after the tickets, which Lincheck must find. */
  public static final class ReadLast extends TicketDraws {
    @Override
    long landed() {
      long oldest = tickets.oldest();
      return Math.min(clock.get(), oldest);
    }
  }

  long draw(int slot) {
    return tickets.draw(slot, clock);
  }

  long landed() {
    return tickets.landed(clock);
  }

  @Operation
  public void commit() {
    int slot = (int) Thread.currentThread().threadId() % SLOTS;
    long drawn = draw(slot);
    cells.set((int) drawn, 1);
    tickets.close(slot);
  }

  /** Returns true if it would publish a commit without its cells. */
  @Operation
  public boolean publish() {
    long landed = landed();
    for (int timestamp = 1; timestamp <= landed; timestamp++) {
      if (cells.get(timestamp) == 0) {
        return true;
      }
    }
    return false;
  }
}
