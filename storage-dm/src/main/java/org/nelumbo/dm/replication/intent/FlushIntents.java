package org.nelumbo.dm.replication.intent;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.env.Environment;

/**
 * The intent records of one compute node. Their number limits the flushes that may be in progress
 * at a time. Thread-safe.
 */
public final class FlushIntents {
  private static final long ALL = (1L << IntentLayout.RECORDS) - 1;

  private final Environment environment;
  private final long tenant;
  private final int entry;

  /** Offset of the block in each memory node, or 0 if there is none. */
  private final AtomicLongArray blocks;

  private final AtomicLong free = new AtomicLong(ALL);

  private final AtomicLongArray flushes = new AtomicLongArray(IntentLayout.RECORDS);

  /**
   * Creates the records in blocks that contain no record yet.
   *
   * @param entry entry of the compute node in the intent table
   * @param blocks offset of the block in each memory node
   */
  FlushIntents(Environment environment, long tenant, int entry, long[] blocks) {
    this.environment = environment;
    this.tenant = tenant;
    this.entry = entry;
    this.blocks = new AtomicLongArray(blocks);
  }

  /** Returns the tenant number of this compute node. */
  public long tenant() {
    return tenant;
  }

  int entry() {
    return entry;
  }

  /** Adds a block in another memory node. */
  void setBlock(int node, long block) {
    blocks.set(node, block);
  }

  /** Takes a record; waits for one if all are in use. */
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

  /** Returns the number of the next flush of a taken record. */
  public long nextFlush(int record) {
    return flushes.incrementAndGet(record);
  }

  /** Returns the number of the last flush of a record. */
  long lastFlush(int record) {
    return flushes.get(record);
  }

  /** Gives a record back, after its flush is done at all copies. */
  public void give(int record) {
    free.getAndUpdate(now -> now | 1L << record);
  }

  /** Returns the offset of the block in a memory node. */
  public long block(int node) {
    return blocks.get(node);
  }

  /** Returns the offset of a record in a memory node. */
  public long recordAddress(int node, int record) {
    return blocks.get(node) + IntentLayout.recordOffset(record);
  }
}
