package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Finds slots of a key in its window, a copy of which is in the staging buffer, and in the chain of
 * the window.
 */
final class SegmentProbe {
  private SegmentProbe() {}

  /** Returns the slot of an entry in the segment of a directory entry. */
  static long word(long entry, long hash, long cvt) {
    return HashSlotLayout.pattern(Directory.depth(entry), KeyHash.fingerprint(hash)) | cvt;
  }

  /** Returns the address of the slot that equals {@code word}, or NULL. */
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

  /**
   * Addresses of a wanted slot and of a free one, each NULL if there is none.
   *
   * @param taken address of the slot that equals the word
   * @param free address of a free slot, in the window if it has one
   */
  record Places(long taken, long free) {}

  /** Finds the slot that equals {@code word} and a free one, reading the chain once. */
  static Places findOrFree(Channel channel, long window, int offset, int home, long word) {
    int index = WindowScan.find(channel.staging(), offset, word);
    if (index != WindowScan.NONE) {
      return new Places(slot(window, index), PoolAddress.NULL);
    }
    int room = WindowScan.findFree(channel.staging(), offset);
    long free = room == WindowScan.NONE ? PoolAddress.NULL : slot(window, room);
    long chain = chain(channel, offset, home);
    return chain == PoolAddress.NULL
        ? new Places(PoolAddress.NULL, free)
        : findOrFreeInChain(channel, chain, word, free);
  }

  private static Places findOrFreeInChain(
      Channel channel, long head, long word, long freeInWindow) {
    long[] found = {PoolAddress.NULL, freeInWindow};
    OverflowChain.walk(
        channel,
        LongList.of(head),
        (block, at) -> {
          int taken = WindowScan.find(channel.staging(), at, word);
          int free = WindowScan.findFree(channel.staging(), at);
          if (taken != WindowScan.NONE) {
            found[0] = slot(block, taken);
          }
          if (found[1] == PoolAddress.NULL && free != WindowScan.NONE) {
            found[1] = slot(block, free);
          }
          return found[0] == PoolAddress.NULL;
        });
    return new Places(found[0], found[1]);
  }

  private static long chain(Channel channel, int offset, int home) {
    return HashSlotLayout.address(
        channel.staging().get(JAVA_LONG, offset + HashSegmentLayout.headerOffsetInWindow(home)));
  }

  private static long slot(long window, int index) {
    return window + (long) index * Long.BYTES;
  }
}
