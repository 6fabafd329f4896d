package org.nelumbo.executor.cache;

import org.nelumbo.dm.index.LeafImages;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The data that a transaction has read and keeps until it ends: records, keys without a row, and
 * index leaves that were read ahead. Stays empty on a local fabric. Not thread-safe.
 */
public final class TransactionReadCache implements LeafImages {
  private static final int LEAVES_AHEAD = 192;

  private final boolean remote;
  private final RecordReadCache records;
  private final NegativeLookupCache negativeLookups;
  private final OwnedLeaves owned;

  /** Null on a local fabric, where cursors need none. */
  private final PrefetchedLeaves leaves;

  public TransactionReadCache(ReadCaches shared) {
    this.remote = shared.isRemote();
    this.records = new RecordReadCache(shared.records());
    this.negativeLookups = new NegativeLookupCache(shared.cvts());
    this.owned = shared.leaves();
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
   * Returns the leaves that were read ahead.
   *
   * @throws IllegalStateException on a local fabric
   */
  public PrefetchedLeaves leaves() {
    if (leaves == null) {
      throw new IllegalStateException("no leaf is read ahead on a local fabric");
    }
    return leaves;
  }

  /** Lets a cursor use the leaves that were read ahead, and those that are known here. */
  public void attach(LeafCursor cursor) {
    if (leaves != null) {
      cursor.use(leaves);
      cursor.use(this);
    }
  }

  /**
   * Returns the image of a leaf that this compute node owns, which the transaction confirms as it
   * does other results from memory.
   */
  @Override
  public byte[] find(Object index, long leafAddress) {
    byte[] image = owned.get(index, leafAddress);
    if (image != null) {
      records.unconfirm();
    }
    return image;
  }

  /** Discards the leaves of an index that is about to be changed. */
  public void forgetLeaves(OrderedIndex tree) {
    if (leaves != null) {
      leaves.forget(tree);
    }
  }

  /** Begins a transaction that may write, and therefore keeps records. */
  public void beginReadWrite() {
    if (remote) {
      records.open();
    }
  }

  /** Clears everything at the end of the transaction. */
  public void clear() {
    if (remote) {
      records.close();
      negativeLookups.clear();
      discardLeaves();
    }
  }

  /** Discards all leaves, so that they are read again. */
  public void discardLeaves() {
    if (leaves != null) {
      leaves.truncate(0);
    }
  }

  /**
   * Notes that the snapshot of the transaction was read from the pool, so that this compute node
   * still owned its shards then. All results of the snapshot are confirmed by that.
   */
  public void snapshotRead() {
    if (remote) {
      records.confirmSnapshot();
    }
  }

  /**
   * Confirms results that came from this compute node's memory only: a READ fails if another
   * compute node has taken the pool over.
   *
   * @param isSnapshot true if all results belong to one snapshot in the past; the READ then
   *     confirms later results, too
   */
  public void confirm(Channel channel, boolean isSnapshot) {
    if (records.isUnconfirmed()) {
      confirmOwner(channel);
      if (isSnapshot) {
        records.confirmSnapshot();
      }
    }
  }

  /**
   * Reads a word of the pool, which fails if the pool is lost or another compute node has taken it
   * over.
   */
  public static void confirmOwner(Channel channel) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(PoolAddress.of(0, SuperblockLayout.MAGIC_OFFSET), offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
  }
}
