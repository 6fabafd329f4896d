package org.nelumbo.executor.cache;

import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * What a transaction keeps of what it has read, until it ends: records, keys that have no row, and
 * leaves of indexes that were read before they are wanted. On a local fabric it stays empty. Not
 * thread-safe.
 */
public final class TransactionReadCache {
  /** How many leaves of indexes may be read before they are wanted. */
  private static final int LEAVES_AHEAD = 192;

  private final boolean remote;
  private final RecordReadCache records;
  private final NegativeLookupCache negativeLookups;

  /** Null on a local fabric, where a cursor has nothing to look into. */
  private final PrefetchedLeaves leaves;

  public TransactionReadCache(ReadCaches shared) {
    this.remote = shared.isRemote();
    this.records = new RecordReadCache(shared.records());
    this.negativeLookups = new NegativeLookupCache(shared.cvts());
    this.leaves = remote ? new PrefetchedLeaves(LEAVES_AHEAD) : null;
  }

  /** See {@link ReadCaches#isRemote}. */
  public boolean isRemote() {
    return remote;
  }

  public RecordReadCache records() {
    return records;
  }

  public NegativeLookupCache negativeLookups() {
    return negativeLookups;
  }

  /**
   * Where leaves are kept that are read ahead.
   *
   * @throws IllegalStateException on a local fabric
   */
  public PrefetchedLeaves leaves() {
    if (leaves == null) {
      throw new IllegalStateException("no leaf is read ahead on a local fabric");
    }
    return leaves;
  }

  /** A cursor finds the leaves that are kept here. */
  public void attach(LeafCursor cursor) {
    if (leaves != null) {
      cursor.use(leaves);
    }
  }

  /** An index is about to be changed: none of its leaves is kept. */
  public void forgetLeaves(OrderedIndex tree) {
    if (leaves != null) {
      leaves.forget(tree);
    }
  }

  /** A transaction begins; one that may write keeps records. */
  public void beginReadWrite() {
    if (remote) {
      records.open();
    }
  }

  /** Forgets everything: the transaction has ended. */
  public void clear() {
    if (remote) {
      records.close();
      negativeLookups.clear();
      discardLeaves();
    }
  }

  /** Leaves are read anew from now on. */
  public void discardLeaves() {
    if (leaves != null) {
      leaves.truncate(0);
    }
  }

  /**
   * What was read from this compute node's memory alone counts if the pool is still this compute
   * node's: a READ fails if another one has taken it.
   *
   * @param isSnapshot whether all of it is read as of one moment, which has passed: then what is
   *     read later is confirmed by this, too
   */
  public void confirm(Channel channel, boolean isSnapshot) {
    if (records.isUnconfirmed()) {
      confirmOwner(channel);
      if (isSnapshot) {
        records.confirmSnapshot();
      }
    }
  }

  /** Reads a word of the pool, which fails if the pool is lost or another compute node's. */
  public static void confirmOwner(Channel channel) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(PoolAddress.of(0, SuperblockLayout.MAGIC_OFFSET), offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
  }
}
