package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Looks up entries: reads the window of a key. An untorn window of the depth that the directory has
 * contains all of the key's entries, except for those in the overflow chain of its header.
 * Otherwise the directory was out of date, or a split is under way, and the lookup is repeated.
 * Thread-safe.
 */
final class EntryLookup {
  /** Shift of the staging offset (a multiple of 8) in a ticket, so that the depth fits below. */
  private static final int TICKET_SHIFT = 3;

  private static final int TICKET_DEPTH_MASK = (1 << (2 * TICKET_SHIFT)) - 1;

  /** See {@link HashIndex#STALE}. */
  static final int STALE = -1;

  private final Environment environment;
  private final DirectoryCache directory;

  EntryLookup(Environment environment, DirectoryCache directory) {
    this.environment = environment;
    this.directory = directory;
  }

  /** See {@link HashIndex#postLookup(Channel, long)}. */
  int post(Channel channel, long lotusKey) {
    long hash = KeyHash.mix(lotusKey);
    long entry = directory.get(channel).lookup(hash);
    return ticket(postWindow(channel, hash, entry), entry);
  }

  /** See {@link HashIndex#postLookup(Channel, long, HashProbe)}. */
  int post(Channel channel, long lotusKey, HashProbe probe) {
    long hash = KeyHash.mix(lotusKey);
    probe.entry = directory.get(channel).lookup(hash);
    probe.offset = postWindow(channel, hash, probe.entry);
    probe.setBlock(PoolAddress.NULL, HashProbe.NOT_POSTED);
    return ticket(probe.offset, probe.entry);
  }

  private static int postWindow(Channel channel, long hash, long entry) {
    int offset = channel.reserve(HashSegmentLayout.WINDOW_LENGTH);
    channel.read(
        Directory.window(entry, KeyHash.home(hash)), offset, HashSegmentLayout.WINDOW_LENGTH);
    return offset;
  }

  private static int ticket(int offset, long entry) {
    return (offset << TICKET_SHIFT) | Directory.depth(entry);
  }

  private static int depth(int ticket) {
    return ticket & TICKET_DEPTH_MASK;
  }

  private static int offset(int ticket) {
    return (ticket & ~TICKET_DEPTH_MASK) >>> TICKET_SHIFT;
  }

  /**
   * Posts the READ of the first overflow block of a window, if the window is valid. Returns its
   * staging offset, or {@link HashIndex#NOT_POSTED}. Optional: {@link #collect} also works without
   * it.
   *
   * @param probe probe of the lookup, which receives the block; null if it has none
   */
  static int postOverflow(Channel channel, int ticket, long lotusKey, HashProbe probe) {
    long header = DirectoryCache.header(channel, offset(ticket), KeyHash.mix(lotusKey));
    long chain = HashSlotLayout.address(header);
    if (chain == PoolAddress.NULL
        || HashSlotLayout.headerDepth(header) != depth(ticket)
        || channel.stagingAvailable() < HashSegmentLayout.BLOCK_LENGTH) {
      return HashProbe.NOT_POSTED;
    }
    int stagingOffset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
    channel.read(chain, stagingOffset, HashSegmentLayout.BLOCK_LENGTH);
    if (probe != null) {
      probe.setBlock(chain, stagingOffset);
    }
    return stagingOffset;
  }

  /**
   * See {@link HashIndex#collect}.
   *
   * @param overflow result of {@link #postOverflow}
   */
  int collect(Channel channel, int ticket, long lotusKey, int overflow, long[] out) {
    long hash = KeyHash.mix(lotusKey);
    int depth = depth(ticket);
    int offset = offset(ticket);
    long pattern = HashSlotLayout.pattern(depth, KeyHash.fingerprint(hash));
    int count = WindowScan.candidates(channel.staging(), offset, pattern, out, 0);
    long header = DirectoryCache.header(channel, offset, hash);
    if (count == WindowScan.TORN || HashSlotLayout.headerDepth(header) != depth) {
      directory.notice(channel, hash, depth, header);
      return STALE;
    }
    long chain = HashSlotLayout.address(header);
    if (chain != PoolAddress.NULL && overflow != HashProbe.NOT_POSTED) {
      count = WindowScan.candidates(channel.staging(), overflow, pattern, out, count);
      chain = OverflowChain.next(channel, overflow);
    }
    return collectChain(channel, chain, pattern, out, count);
  }

  private static int collectChain(
      Channel channel, long chain, long pattern, long[] out, int found) {
    int mark = channel.mark();
    int count = found;
    for (long block = chain; block != PoolAddress.NULL && count != WindowScan.TORN; ) {
      int offset = channel.reserve(HashSegmentLayout.BLOCK_LENGTH);
      block = OverflowChain.readBlock(channel, block, offset);
      count = WindowScan.candidates(channel.staging(), offset, pattern, out, count);
      channel.release(mark);
    }
    return count == WindowScan.TORN ? STALE : count;
  }

  /** See {@link HashIndex#lookup}. */
  int find(Channel channel, long lotusKey, long[] out) {
    int mark = channel.mark();
    for (int attempt = 0; ; attempt++) {
      int ticket = post(channel, lotusKey);
      channel.flush();
      int count = collect(channel, ticket, lotusKey, HashProbe.NOT_POSTED, out);
      channel.release(mark);
      if (count != STALE) {
        return count;
      }
      directory.pause(environment, channel, KeyHash.mix(lotusKey), attempt);
    }
  }

  /** See {@link HashIndex#lookupForInsert}. */
  int findForInsert(Channel channel, long lotusKey, long[] out, HashProbe probe) {
    int mark = channel.mark();
    for (int attempt = 0; ; attempt++) {
      int ticket = post(channel, lotusKey, probe);
      channel.flush();
      int overflow = postOverflow(channel, ticket, lotusKey, probe);
      if (overflow != HashProbe.NOT_POSTED) {
        channel.flush();
      }
      int count = collect(channel, ticket, lotusKey, overflow, out);
      if (count != STALE) {
        return count;
      }
      channel.release(mark);
      directory.pause(environment, channel, KeyHash.mix(lotusKey), attempt);
    }
  }

  /** See {@link HashIndex#contains}. */
  boolean contains(Channel channel, long lotusKey, long cvt) {
    long hash = KeyHash.mix(lotusKey);
    int home = KeyHash.home(hash);
    int mark = channel.mark();
    for (int attempt = 0; ; attempt++) {
      long entry = directory.get(channel).lookup(hash);
      int offset = postWindow(channel, hash, entry);
      channel.flush();
      if (directory.isCurrent(channel, hash, entry, offset)) {
        long word = SegmentProbe.word(entry, hash, cvt);
        long slot = SegmentProbe.find(channel, Directory.window(entry, home), offset, home, word);
        channel.release(mark);
        return slot != PoolAddress.NULL;
      }
      channel.release(mark);
      directory.pause(environment, channel, hash, attempt);
    }
  }

  /** See {@link HashIndex#prefetch}. */
  void prefetch(Channel channel, long lotusKey) {
    prefetchWindow(channel, KeyHash.mix(lotusKey));
  }

  /** See {@link HashIndex#prefetchForInsert}. */
  void prefetchForInsert(Channel channel, long lotusKey) {
    long entry = prefetchWindow(channel, KeyHash.mix(lotusKey));
    channel.prefetch(Directory.segment(entry) + HashSegmentLayout.LATCH_OFFSET, Long.BYTES);
  }

  private long prefetchWindow(Channel channel, long hash) {
    long entry = directory.get(channel).lookup(hash);
    channel.prefetch(Directory.window(entry, KeyHash.home(hash)), HashSegmentLayout.WINDOW_LENGTH);
    return entry;
  }
}
