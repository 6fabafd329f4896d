package org.nelumbo.executor.version;

import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.table.TableStore;

/**
 * Posts the first and the last write of a CVT. The caller holds the row's write lock. Not
 * thread-safe.
 */
public final class CvtWriter {
  private final Channel channel;

  public CvtWriter(Channel channel) {
    this.channel = channel;
  }

  /**
   * Posts a CVT without versions. The caller releases the staging buffer after the flush of the
   * hash index.
   */
  public void writeEmptyCvt(TableStore table, long lotusKey, long cvt, int blockClass) {
    int offset = channel.reserve(table.cvtBytes());
    CvtLayout.writeEmpty(
        channel.staging(), offset, lotusKey, table.id(), table.versions(), blockClass);
    channel.write(cvt, offset, table.cvtBytes());
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
