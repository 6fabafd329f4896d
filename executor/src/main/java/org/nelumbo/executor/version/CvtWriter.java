package org.nelumbo.executor.version;

import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.table.TableStore;

/**
 * Posts the first and the last write of a CVT. The caller holds the row's write lock. Not
 * thread-safe.
 */
public final class CvtWriter {
  private final Channel channel;
  private final BlockRun added;

  public CvtWriter(Channel channel) {
    this.channel = channel;
    this.added = new BlockRun(channel);
  }

  /**
   * Posts a CVT without versions. The caller releases the staging buffer after the flush of the
   * hash index.
   */
  public void writeEmptyCvt(TableStore table, long lotusKey, long cvt, int blockClass) {
    beginEmptyCvts();
    addEmptyCvt(table, lotusKey, cvt, blockClass);
    postEmptyCvts();
  }

  /** Begins a set of CVTs without versions. */
  public void beginEmptyCvts() {
    added.clear();
  }

  /**
   * Adds a CVT without versions to those that {@link #postEmptyCvts} posts together. Posts the
   * others if it is not adjacent to them. The caller releases the staging buffer after the flush.
   */
  public void addEmptyCvt(TableStore table, long lotusKey, long cvt, int blockClass) {
    if (!added.isFollowedBy(cvt)) {
      postEmptyCvts();
    }
    int offset = added.add(cvt, SizeClass.bytes(blockClass), table.cvtBytes());
    CvtLayout.writeEmpty(
        channel.staging(), offset, lotusKey, table.id(), table.versions(), blockClass);
  }

  /** Posts the CVTs that were added. */
  public void postEmptyCvts() {
    if (!added.isEmpty()) {
      channel.write(added.address(), added.offset(), added.length());
      added.clear();
    }
  }

  /**
   * Posts the removal of the LOTUS key from a CVT that is about to be retired. Stale entries of
   * secondary indexes may continue to point to the CVT, even when its memory is reused. Readers
   * that follow such an entry compare the key in the CVT with the key of the entry.
   */
  public void postDead(long cvt) {
    channel.writeLong(cvt + CvtLayout.LOTUS_KEY_OFFSET, 0);
  }
}
