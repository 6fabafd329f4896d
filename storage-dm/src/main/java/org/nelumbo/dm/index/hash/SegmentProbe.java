package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/**
 * Finds slots of a key in its window, a copy of which is in the staging buffer, and in the chain
 * that hangs on it.
 */
final class SegmentProbe {
  private SegmentProbe() {}

  /** The slot of an entry in the segment of a directory entry. */
  static long word(long entry, long hash, long cvt) {
    return HashSlotLayout.pattern(Directory.depth(entry), KeyHash.fingerprint(hash)) | cvt;
  }

  /** Where in the pool the slot is that equals {@code word}, or NULL. */
  static long find(Channel channel, long window, int offset, int home, long word) {
    int index = WindowScan.find(channel.staging(), offset, word);
    return index != WindowScan.NONE
        ? slot(window, index)
        : findInChain(channel, chain(channel, offset, home), word);
  }

  private static long findInChain(Channel channel, long head, long word) {
    int mark = channel.mark();
    long found = PoolAddress.NULL;
    for (long block = head; block != PoolAddress.NULL && found == PoolAddress.NULL; ) {
      int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
      long next = OverflowChain.readBlock(channel, block, offset);
      int index = WindowScan.find(channel.staging(), offset, word);
      found = index != WindowScan.NONE ? slot(block, index) : PoolAddress.NULL;
      block = next;
      channel.release(mark);
    }
    return found;
  }

  /** Where in the pool a free slot is, in the window if it has one, or NULL. */
  static long findFree(Channel channel, long window, int offset, int home) {
    int index = WindowScan.findFree(channel.staging(), offset);
    return index != WindowScan.NONE
        ? slot(window, index)
        : findFreeInChain(channel, chain(channel, offset, home));
  }

  private static long findFreeInChain(Channel channel, long head) {
    int mark = channel.mark();
    long found = PoolAddress.NULL;
    for (long block = head; block != PoolAddress.NULL && found == PoolAddress.NULL; ) {
      int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
      long next = OverflowChain.readBlock(channel, block, offset);
      int index = WindowScan.findFree(channel.staging(), offset);
      found = index != WindowScan.NONE ? slot(block, index) : PoolAddress.NULL;
      block = next;
      channel.release(mark);
    }
    return found;
  }

  private static long chain(Channel channel, int offset, int home) {
    return HashSlotLayout.address(
        channel.staging().get(JAVA_LONG, offset + HashSegmentLayout.headerOffsetInWindow(home)));
  }

  private static long slot(long window, int index) {
    return window + (long) index * Long.BYTES;
  }
}
