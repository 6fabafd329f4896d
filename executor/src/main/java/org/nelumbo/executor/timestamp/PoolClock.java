package org.nelumbo.executor.timestamp;

import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The clock of a shared pool: a word in the superblock of node 0, from which commit timestamps are
 * drawn by FAA. A start timestamp is a READ of the word.
 *
 * <p>If all cells of a commit are on node 0, the FAA is posted behind them in one flush. Otherwise
 * it needs a flush of its own, since there is no order between nodes. A timestamp must not be drawn
 * before all cells are INVISIBLE, or a snapshot could miss a commit that it should have waited for.
 *
 * <p>{@link #tick} keeps the word near physical time, so that the age of a timestamp can be
 * computed.
 */
public final class PoolClock implements SharedClock {
  private static final int NODE = 0;
  private static final long WORD = PoolAddress.of(NODE, SuperblockLayout.CLOCK_OFFSET);

  private final PhysicalClock physicalClock;

  /** Value of the word that was read last for {@link #tick}; used by the ticking thread only. */
  private long ticked;

  private final AtomicLong known = new AtomicLong();

  public PoolClock(Environment environment) {
    this.physicalClock = new PhysicalClock(environment);
  }

  /** Makes timestamps begin above {@code last}, in a pool that no compute node shares yet. */
  public static void begin(Channel channel, long last) {
    channel.writeLong(WORD, last);
    channel.flush();
  }

  @Override
  public long now() {
    return known.get();
  }

  @Override
  public long read(Channel channel) {
    refresh(channel);
    return now();
  }

  private void refresh(Channel channel) {
    int mark = channel.mark();
    int offset = postRead(channel);
    channel.flush();
    learn(channel.staging().get(ValueLayout.JAVA_LONG, offset));
    channel.release(mark);
  }

  @Override
  public int postRead(Channel channel) {
    int offset = channel.reserve(Long.BYTES);
    channel.read(WORD, offset, Long.BYTES);
    return offset;
  }

  @Override
  public long learnRead(Channel channel, int offset) {
    ticked = channel.staging().get(ValueLayout.JAVA_LONG, offset);
    learn(ticked);
    return ticked;
  }

  /** A word that was raised to physical time since the last commit has such a timestamp. */
  @Override
  public boolean wasQuiet() {
    return Timestamps.isFirst(ticked);
  }

  @Override
  public long next(Channel channel) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.fetchAndAdd(WORD, 1, offset);
    channel.flush();
    long timestamp = drawn(channel, offset);
    channel.release(mark);
    return timestamp;
  }

  @Override
  public int postNext(Channel channel, int node) {
    if (node != NODE) {
      return -1;
    }
    int offset = channel.reserve(Long.BYTES);
    channel.fetchAndAdd(WORD, 1, offset);
    return offset;
  }

  @Override
  public long drawn(Channel channel, int posted) {
    long timestamp = channel.staging().get(ValueLayout.JAVA_LONG, posted) + 1;
    learn(timestamp);
    return timestamp;
  }

  private void learn(long timestamp) {
    known.accumulateAndGet(timestamp, Math::max);
  }

  /**
   * Raises the word to physical time. Does nothing if the word is there already, another compute
   * node raises it at the same time, or this compute node's clock is far ahead of the pool's.
   */
  @Override
  public void tick(Channel channel) {
    long read = ticked;
    long physical = physicalClock.timestamp(read);
    if (physical > read) {
      int mark = channel.mark();
      int offset = channel.reserve(Long.BYTES);
      channel.compareAndSwap(WORD, read, physical, offset);
      channel.flush();
      if (channel.hasSwapped(offset, read)) {
        learn(physical);
      }
      channel.release(mark);
    }
  }

  @Override
  public void raiseTo(long timestamp) {
    learn(timestamp);
  }
}
