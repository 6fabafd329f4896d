package org.nelumbo.executor.version;

import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.table.TableStore;

/** Posts the first bytes of a CVT, and the last. The row's write lock is held. Not thread-safe. */
public final class CvtWriter {
  private final Channel channel;

  public CvtWriter(Channel channel) {
    this.channel = channel;
  }

  /**
   * Posts a CVT without versions; the caller releases the staging buffer, after the flush of the
   * hash index.
   */
  public void writeEmptyCvt(TableStore table, long lotusKey, long cvt, int blockClass) {
    int offset = channel.reserve(table.cvtBytes());
    CvtLayout.writeEmpty(
        channel.staging(), offset, lotusKey, table.id(), table.versions(), blockClass);
    channel.write(cvt, offset, table.cvtBytes());
  }

  /**
   * Posts taking the LOTUS key out of a CVT that is about to be retired. Stale entries of secondary
   * indexes may go on pointing to it, also when its memory is used again: readers that come by one
   * compare the key in the CVT with that of the entry.
   */
  public void postDead(long cvt) {
    channel.writeLong(cvt + CvtLayout.LOTUS_KEY_OFFSET, 0);
  }
}
