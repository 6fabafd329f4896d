package org.nelumbo.dm.index.hash;

import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The hash index of a table: LOTUS key to the addresses of the CVTs that may belong to it.
 * Extendible hashing in the style of RACE; the rehashing is repairable, as in rTX, section 5
 * ({@code docs/references.md}). How it works: see the package.
 *
 * <p><b>Cost.</b> A lookup is one READ of 128 bytes (one more round trip for the few keys whose
 * window overflowed, for all of a batch together: {@link OverflowReads}; and once after a segment
 * was split by another compute node). An insert or remove is two round trips. About one insert in
 * 50 adds an overflow block, in three; one in 400 splits a segment, in sixteen, which holds up
 * inserts into that segment for some tens of microseconds, lookups for the copy of 8 KiB. An entry
 * takes 11 to 21 bytes, depending on how long ago the segments split.
 *
 * <p><b>Threads.</b> One object a table and compute node, used by all its coordinators, each with
 * its own channel and allocator. Lookups, scans and changes may run at the same time, but for one
 * thing: whoever inserts or removes holds the write lock of the LOTUS key.
 *
 * <p><b>Epochs.</b> Every method is to be called with the horizon pinned: it follows pointers to
 * overflow blocks that a split may retire.
 *
 * <p><b>Output arrays.</b> Where a method fills {@code long[] out}, it returns how many candidates
 * there are; if that is more than {@code out.length}, the rest was not stored and the caller has to
 * ask again with a larger array. {@link #USUAL_CANDIDATES} entries are enough but for dozens of
 * keys with one hash.
 */
public final class HashIndex {
  /** Returned by {@link #collect}: the index changed under the READ; look up again. */
  public static final int STALE = EntryLookup.STALE;

  /** Stands for a ticket where nothing was posted. */
  public static final int NOT_POSTED = HashProbe.NOT_POSTED;

  /** A length for output arrays that hardly ever has to be exceeded. */
  public static final int USUAL_CANDIDATES = 16;

  /** Attempts to change a segment after which it is looked whether it is one. */
  private static final int PATIENCE = 1000;

  private final Environment environment;
  private final long root;
  private final ToLongFunction<Channel> clock;
  private final DirectoryCache directory;
  private final EntryLookup lookup;
  private final EntryChange change;
  private final HashEstimate estimate;

  /**
   * Opens an index; nothing is read before the first use.
   *
   * @param root what {@link #create} returned
   * @param clock timestamps to retire memory with: any transaction that may see what is retired has
   *     pinned a horizon not above the current value
   * @param owner positive; names this compute node in the latches it takes, see {@link #repair}
   */
  public HashIndex(Environment environment, long root, ToLongFunction<Channel> clock, int owner) {
    if (owner <= 0) {
      throw new IllegalArgumentException("an owner is positive owner=" + owner);
    }
    this.environment = environment;
    this.root = root;
    this.clock = clock;
    this.directory = new DirectoryCache(root);
    this.estimate = new HashEstimate(root, directory);
    this.lookup = new EntryLookup(environment, directory);
    this.change = new EntryChange(environment, directory, clock, owner);
  }

  /**
   * Makes an empty index of one segment (8 KiB); returns its root address, or NULL if the pool is
   * exhausted.
   */
  public static long create(Channel channel, PoolAllocator allocator) {
    long root = allocator.allocate(HashSegmentLayout.SIZE_CLASS);
    if (root != PoolAddress.NULL) {
      SegmentImage image = new SegmentImage();
      image.clear(0);
      image.setHead(HashSegmentLayout.IDENTITY_OFFSET, HashSegmentLayout.identity(0, 0));
      image.store(channel, root);
    }
    return root;
  }

  /**
   * The last bits of a key's hash: which segment its entry is in, if that is so deep. For those who
   * want keys that share one.
   */
  public static int suffix(long lotusKey, int depth) {
    return KeyHash.suffix(KeyHash.mix(lotusKey), depth);
  }

  /** The address that {@link #create} returned. */
  public long root() {
    return root;
  }

  /** Reads the directory now, rather than at the first use. */
  public void load(Channel channel) {
    directory.get(channel);
  }

  /**
   * Reads the top of the directory now, in a few round trips however large it is; what is below is
   * read as it is used, each segment once. For memory of which little is there yet.
   */
  public void begin(Channel channel) {
    directory.begin(channel);
  }

  /**
   * Posts the READ of a lookup. Many may be posted, for one index or several, before one flush.
   * Reserves 128 staging bytes, which the caller releases.
   *
   * @return a ticket for {@link #collect}
   */
  public int postLookup(Channel channel, long lotusKey) {
    return lookup.post(channel, lotusKey);
  }

  /**
   * The result of a lookup, after the flush. In rare cases this reads more and flushes the channel
   * itself.
   *
   * @return number of candidates (see "output arrays" above): CVTs whose key has the wanted
   *     fingerprint; the CVT tells whether it is the wanted key. Or {@link #STALE}: look up again,
   *     with {@link Environment#backoff} between attempts
   */
  public int collect(Channel channel, int ticket, long lotusKey, long[] out) {
    return lookup.collect(channel, ticket, lotusKey, NOT_POSTED, out);
  }

  /** Result of a lookup whose overflow block has been read with others ({@link OverflowReads}). */
  int collect(Channel channel, int ticket, long lotusKey, int overflow, long[] out) {
    return lookup.collect(channel, ticket, lotusKey, overflow, out);
  }

  /**
   * Looks a key up, repeating until the answer is not stale; leaves the staging stack as it was.
   *
   * @return the number of candidates (see "output arrays" above)
   * @throws SegmentLatchedException if a dead owner left the segment's lines half-overwritten
   */
  public int lookup(Channel channel, long lotusKey, long[] out) {
    return lookup.find(channel, lotusKey, out);
  }

  /**
   * Looks a key up whose row, if it has none, is going to be inserted: the READs that an insert
   * begins with are those of the lookup. Unlike {@link #lookup} this leaves the window in the
   * staging buffer; the caller releases it when the insert is done.
   *
   * @param probe takes what was seen, for {@link #insert(Channel, PoolAllocator, long, long,
   *     HashProbe)}
   * @return the number of candidates (see "output arrays" above)
   * @throws SegmentLatchedException if a dead owner left the segment's lines half-overwritten
   */
  public int lookupForInsert(Channel channel, long lotusKey, long[] out, HashProbe probe) {
    return lookup.findForInsert(channel, lotusKey, out, probe);
  }

  /**
   * {@link #postLookup(Channel, long)} for a key whose row, if it has none, is going to be
   * inserted.
   *
   * @param probe takes what {@link #postInsert} begins with; the window has to stay in the staging
   *     buffer until then
   */
  public int postLookup(Channel channel, long lotusKey, HashProbe probe) {
    return lookup.post(channel, lotusKey, probe);
  }

  /**
   * Posts the insert of an entry, after a lookup with no candidate was collected under the write
   * lock that is still held. Many may be posted before one flush; so may the WRITE of the CVT on
   * the same channel, if there is but one memory node. Reserves 16 staging bytes, which the caller
   * releases.
   *
   * @return a ticket for {@link #isInserted}, or {@link #NOT_POSTED}: use {@link #insert}
   */
  public int postInsert(Channel channel, long lotusKey, long cvt, HashProbe probe) {
    return change.postInsert(channel, KeyHash.mix(lotusKey), cvt, probe);
  }

  /**
   * After the flush: whether the entry is in. If not, it is perhaps: {@link #insert} makes sure.
   */
  public boolean isInserted(Channel channel, int ticket, HashProbe probe) {
    return ticket >= 0 && EntryChange.isDone(channel, ticket, probe);
  }

  /** Hints that a key is about to be looked up (see {@link Channel#prefetch}). */
  public void prefetch(Channel channel, long lotusKey) {
    lookup.prefetch(channel, lotusKey);
  }

  /** Hints that a key is about to be looked up and, if it is not there, inserted. */
  public void prefetchForInsert(Channel channel, long lotusKey) {
    lookup.prefetchForInsert(channel, lotusKey);
  }

  /** Whether an entry is there; leaves the staging stack as it was. */
  public boolean contains(Channel channel, long lotusKey, long cvt) {
    return lookup.contains(channel, lotusKey, cvt);
  }

  /** Whether an entry of one LOTUS key may be taken for one of another, until its CVT is read. */
  public static boolean areAlike(long lotusKey, long other) {
    return KeyHash.fingerprint(KeyHash.mix(lotusKey)) == KeyHash.fingerprint(KeyHash.mix(other));
  }

  /**
   * Ensures that an entry is present. The CVT's first word (the LOTUS key) has been written, or its
   * WRITE was posted on this channel before; the caller holds the key's write lock.
   *
   * @return false if the pool is exhausted: the entry is not there, and nothing has changed
   * @throws SegmentLatchedException if a dead owner is in the way: the entry may be there or not
   */
  public boolean insert(Channel channel, PoolAllocator allocator, long lotusKey, long cvt) {
    return insert(channel, allocator, lotusKey, cvt, null);
  }

  /**
   * Ensures that the entry of a CVT that is in none yet is present, after {@link #lookupForInsert}
   * under the write lock that is still held. This usually saves a round trip.
   *
   * @param probe that lookup's, whose window is still in the staging buffer; null: look now
   */
  public boolean insert(
      Channel channel, PoolAllocator allocator, long lotusKey, long cvt, HashProbe probe) {
    long hash = KeyHash.mix(lotusKey);
    int mark = channel.mark();
    try {
      int first = probe == null ? EntryChange.AGAIN : change.tryInsert(channel, hash, cvt, probe);
      if (first == EntryChange.DONE) {
        return true;
      }
      channel.release(mark);
      for (int attempt = 0; ; attempt++) {
        int outcome = change.tryInsert(channel, allocator, hash, cvt);
        if (outcome != EntryChange.AGAIN && outcome != EntryChange.UNSETTLED) {
          return outcome != EntryChange.EXHAUSTED;
        }
        channel.release(mark);
        pause(channel, lotusKey, cvt, attempt);
      }
    } finally {
      channel.release(mark);
    }
  }

  /**
   * A step of the wait for a segment that cannot be changed just now.
   *
   * @throws org.nelumbo.dm.index.DamagedIndexException if it never can, since it is damaged
   */
  private void pause(Channel channel, long lotusKey, long cvt, int attempt) {
    environment.backoff(attempt);
    if (attempt % PATIENCE == PATIENCE - 1) {
      lookup.contains(channel, lotusKey, cvt);
    }
  }

  /**
   * Ensures that an entry is absent. The caller holds the key's write lock, and frees the CVT only
   * after this has returned.
   *
   * @return whether the entry was there
   * @throws SegmentLatchedException if a dead owner is in the way: the entry may be there or not
   */
  public boolean remove(Channel channel, long lotusKey, long cvt) {
    long hash = KeyHash.mix(lotusKey);
    boolean removed = false;
    int mark = channel.mark();
    try {
      for (int attempt = 0; ; attempt++) {
        int outcome = change.tryRemove(channel, hash, cvt);
        removed |= outcome == EntryChange.DONE || outcome == EntryChange.UNSETTLED;
        if (outcome == EntryChange.DONE || outcome == EntryChange.NOTHING_TO_DO) {
          if (removed) {
            estimate.entryRemoved();
          }
          return removed;
        }
        channel.release(mark);
        pause(channel, lotusKey, cvt, attempt);
      }
    } finally {
      channel.release(mark);
    }
  }

  /**
   * Posts the removal of an entry that a lookup has found, if it shows it: one that was flushed
   * under the write lock that is still held; whether it was collected does not matter. Many may be
   * posted before one flush. Reserves 16 staging bytes, which the caller releases.
   *
   * @param probe that lookup's, whose window is still in the staging buffer
   * @return a ticket for {@link #finishRemove}, or {@link #NOT_POSTED}
   */
  public int postRemove(Channel channel, long lotusKey, long cvt, HashProbe probe) {
    return change.postRemove(channel, KeyHash.mix(lotusKey), cvt, probe);
  }

  /** After the flush: makes sure that the entry is absent, as {@link #remove} does. */
  public void finishRemove(Channel channel, long lotusKey, long cvt, int ticket, HashProbe probe) {
    if (EntryChange.isRemoved(channel, ticket, KeyHash.mix(lotusKey), cvt, probe)) {
      estimate.entryRemoved();
    } else {
      remove(channel, lotusKey, cvt);
    }
  }

  /** A cursor over all entries; may be kept and reused, by one thread at a time. */
  public HashCursor newCursor() {
    return new HashCursor(environment, directory);
  }

  /**
   * Finishes, or undoes, the splits that a dead owner left half-done. Whoever calls this knows that
   * the owner is dead and fenced: none of its verbs can arrive any more. May itself be interrupted,
   * and repeated for the repairer's owner id.
   *
   * @return number of segments that were repaired
   */
  public int repair(Channel channel, PoolAllocator allocator, int deadOwner) {
    SegmentGrowth growth = change.takeGrowth();
    int repaired = new IndexRepair(growth, deadOwner).run(channel, allocator, root);
    change.giveGrowth(growth);
    return repaired;
  }

  /**
   * Goes over an index that nobody uses yet, after its repair, and takes out the entries that are
   * not wanted.
   *
   * @return number of entries taken out
   */
  public int sweep(Channel channel, HashSweepVisitor sweep) {
    return new IndexSweeper(sweep).run(channel, root);
  }

  /**
   * Retires all memory of the index. Nobody uses the index any more, but readers that began before
   * may still be in it.
   */
  public void drop(Channel channel, PoolAllocator allocator) {
    new HashInspection(root).drop(channel, allocator, clock.applyAsLong(channel));
  }

  /** About how many entries there are. */
  public HashEstimate estimate() {
    return estimate;
  }

  /** Size and filling; exact for small indexes, from a sample of segments for large ones. */
  public HashStatistics statistics(Channel channel) {
    return new HashInspection(root).statistics(channel);
  }

  /**
   * Checks every invariant of an index that nobody changes meanwhile; reads all of it, and the
   * LOTUS key of every entry's CVT.
   *
   * @return number of entries
   * @throws IllegalStateException saying what is wrong and where
   */
  public long verify(Channel channel) {
    return new HashInspection(root).verify(channel);
  }
}
