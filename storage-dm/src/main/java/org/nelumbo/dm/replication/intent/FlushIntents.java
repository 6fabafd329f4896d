package org.nelumbo.dm.replication.intent;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.env.Environment;

/**
 * The records of one compute node for the intents of its flushes: as many flushes may be under way
 * as there are records. Thread-safe.
 */
public final class FlushIntents {
  private static final long ALL = (1L << IntentLayout.RECORDS) - 1;

  private final Environment environment;
  private final long tenant;
  private final int entry;

  /** Where its block is in each memory node, 0 if it has none there. */
  private final AtomicLongArray blocks;

  private final AtomicLong free = new AtomicLong(ALL);

  /** Number of the last flush of each record. */
  private final AtomicLongArray flushes = new AtomicLongArray(IntentLayout.RECORDS);

  /**
   * Records in blocks that have none yet.
   *
   * @param entry of the compute node in the table
   * @param blocks offset in each memory node
   */
  FlushIntents(Environment environment, long tenant, int entry, long[] blocks) {
    this.environment = environment;
    this.tenant = tenant;
    this.entry = entry;
    this.blocks = new AtomicLongArray(blocks);
  }

  /** Of this compute node. */
  public long tenant() {
    return tenant;
  }

  int entry() {
    return entry;
  }

  /** It has a block in one more memory node. */
  void setBlock(int node, long block) {
    blocks.set(node, block);
  }

  /** Takes a record, and waits for one if all are in use. */
  public int take() {
    for (int attempt = 0; ; attempt++) {
      long now = free.get();
      if (now == 0) {
        environment.backoff(attempt);
      } else if (free.compareAndSet(now, now & now - 1)) {
        return Long.numberOfTrailingZeros(now);
      }
    }
  }

  /** The number of the next flush of a record that was taken. */
  public long nextFlush(int record) {
    return flushes.incrementAndGet(record);
  }

  /** The number of the last flush of a record. */
  long lastFlush(int record) {
    return flushes.get(record);
  }

  /** Gives a record back: its flush is done everywhere. */
  public void give(int record) {
    free.getAndUpdate(now -> now | 1L << record);
  }

  /** Where its block is in a memory node. */
  public long block(int node) {
    return blocks.get(node);
  }

  /** Where a record is in a memory node. */
  public long place(int node, int record) {
    return blocks.get(node) + IntentLayout.recordOffset(record);
  }
}
