package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;

/**
 * A scan of all entries of a hash index, one segment at a time, in the order of the reversed bits
 * of the keys' suffixes. Whatever segments split during the scan, the segments read so far cover
 * exactly the suffixes before the next position. So an entry that is present during the whole scan
 * is returned exactly once; an entry that is inserted or removed meanwhile, at most once.
 *
 * <p>{@link #start} resets the position, so a scan may be abandoned at any time. Not thread-safe;
 * called with the horizon pinned from start to end.
 */
public final class HashCursor {
  private final Environment environment;
  private final DirectoryCache directory;
  private final SegmentImage image = new SegmentImage();
  private final LongList slots = new LongList();
  private final LongList chains = new LongList();
  private int position;
  private boolean atEnd;

  HashCursor(Environment environment, DirectoryCache directory) {
    this.environment = environment;
    this.directory = directory;
  }

  /** Restarts the scan at the beginning. */
  public void start() {
    position = 0;
    atEnd = false;
    slots.clear();
  }

  /** Reads the next entries, up to about a thousand; returns their number, 0 at the end. */
  public int next(Channel channel) {
    slots.clear();
    for (int attempt = 0; !atEnd && slots.size() == 0; ) {
      long entry = directory.get(channel).lookup(position);
      if (readSegment(channel, entry)) {
        advance(Directory.depth(entry));
        attempt = 0;
      } else {
        slots.clear();
        directory.pause(environment, channel, position, attempt++);
      }
    }
    return slots.size();
  }

  /** Returns the CVT address of an entry that the last {@link #next} has read. */
  public long cvt(int i) {
    return HashSlotLayout.address(slots.get(i));
  }

  private boolean readSegment(Channel channel, long entry) {
    int depth = Directory.depth(entry);
    image.load(channel, Directory.segment(entry));
    if (!image.isWhole(depth)) {
      int deeper = HashSlotLayout.headerDepth(image.header(0));
      if (deeper > depth) {
        directory.deepened(channel, position, entry, deeper);
      }
      return false;
    }
    image.collectSlots(slots);
    chains.clear();
    image.collectChains(chains);
    return OverflowChain.collectSlots(channel, chains, depth, slots);
  }

  /** Adds 1 to the lowest {@code depth} bits of the position, in reversed bit order. */
  private void advance(int depth) {
    int bit = 1 << depth >>> 1;
    while ((position & bit) != 0) {
      position ^= bit;
      bit >>>= 1;
    }
    position |= bit;
    atEnd = bit == 0;
  }
}
