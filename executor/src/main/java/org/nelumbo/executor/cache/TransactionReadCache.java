package org.nelumbo.executor.cache;

import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.engine.Engine;

/**
 * The cache of what a transaction has read, where a round trip is expensive: records, keys that
 * have no row, and leaves of indexes that were read before they are wanted. Not thread-safe.
 */
public final class TransactionReadCache {
  /** How many leaves of indexes may be read before they are wanted. */
  private static final int LEAVES_AHEAD = 192;

  private final RecordReadCache records;
  private final NegativeLookupCache negativeLookups;
  private final PrefetchedLeaves leaves = new PrefetchedLeaves(LEAVES_AHEAD);

  public TransactionReadCache(Engine engine) {
    this.records = new RecordReadCache(engine.recordCache());
    this.negativeLookups = new NegativeLookupCache(engine.cvtCache());
  }

  public RecordReadCache records() {
    return records;
  }

  public NegativeLookupCache negativeLookups() {
    return negativeLookups;
  }

  public PrefetchedLeaves leaves() {
    return leaves;
  }

  /** Forgets everything: the transaction has ended. */
  public void clear() {
    records.close();
    negativeLookups.clear();
    discardLeaves();
  }

  /** Leaves are read anew from now on. */
  public void discardLeaves() {
    leaves.truncate(0);
  }

  /**
   * What was read from this compute node's memory alone counts if the pool is still this compute
   * node's: a READ fails if another one has taken it.
   */
  public void confirm(Channel channel) {
    if (records.isUnconfirmed()) {
      int mark = channel.mark();
      int offset = channel.reserve(Long.BYTES);
      channel.read(PoolAddress.of(0, SuperblockLayout.MAGIC_OFFSET), offset, Long.BYTES);
      channel.flush();
      channel.release(mark);
    }
  }
}
