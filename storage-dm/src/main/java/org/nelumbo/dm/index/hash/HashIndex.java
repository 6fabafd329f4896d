package org.nelumbo.dm.index.hash;

import java.util.function.ToLongFunction;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The hash index of a table: maps a LOTUS key to the addresses of the CVTs that may belong to it.
 * Extendible hashing in the style of RACE; the rehashing is repairable, as in rTX, section 5
 * ({@code docs/references.md}). The algorithm is described in the package comment.
 *
 * <p><b>Cost.</b> A lookup is one READ of 128 bytes. It takes one more round trip for the few keys
 * whose window overflowed (one for all keys of a batch together: {@link OverflowReads}), and one
 * after a segment was split by another compute node. An insert or remove is two round trips. About
 * one insert in 50 adds an overflow block, in three; one in 400 splits a segment, in sixteen, which
 * delays inserts into that segment for some tens of microseconds, and lookups while 8 KiB are
 * copied. An entry takes 11 to 21 bytes, depending on how long ago the segments split.
 *
 * <p><b>Threads.</b> One object per table and compute node, used by all its coordinators, each with
 * its own channel and allocator. Lookups, scans and changes may run at the same time, with one
 * restriction: a thread that inserts or removes an entry holds the write lock of the LOTUS key.
 *
 * <p><b>Epochs.</b> Every method must be called with the horizon pinned: it follows pointers to
 * overflow blocks that a split may retire.
 *
 * <p><b>Output arrays.</b> A method that fills {@code long[] out} returns the number of candidates.
 * If that is more than {@code out.length}, the rest was not stored, and the caller must repeat the
 * call with a larger array. {@link #USUAL_CANDIDATES} elements suffice unless dozens of keys have
 * the same hash.
 */
public final class HashIndex {
  /** Result of {@link #collect}: the index changed during the READ; look up again. */
  public static final int STALE = EntryLookup.STALE;

  /** Ticket that means that nothing was posted. */
  public static final int NOT_POSTED = HashProbe.NOT_POSTED;

  /** Length of an output array that is hardly ever exceeded. */
  public static final int USUAL_CANDIDATES = 16;

  /** Number of attempts to change a segment before the segment is checked for damage. */
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
   * @param root result of {@link #create}
   * @param clock timestamps to retire memory with: any transaction that may see retired memory has
   *     pinned a horizon not above the current value
   * @param owner positive number of this compute node in the latches it takes, see {@link #repair}
   */
  public HashIndex(Environment environment, long root, ToLongFunction<Channel> clock, int owner) {
    if (owner <= 0) {
      throw new IllegalArgumentException("an owner must be positive owner=" + owner);
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
   * Creates an empty index of one segment (8 KiB); returns its root address, or NULL if the pool is
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
   * Returns the low bits of a key's hash, which determine the segment of its entry if the segment
   * has that depth. For callers that need keys of one segment.
   */
  public static int suffix(long lotusKey, int depth) {
    return KeyHash.suffix(KeyHash.mix(lotusKey), depth);
  }

  /** Returns the root address, the result of {@link #create}. */
  public long root() {
    return root;
  }

  /** Reads the directory now instead of at the first use. */
  public void load(Channel channel) {
    directory.get(channel);
  }

  /**
   * Reads the top of the directory now, in a few round trips however large it is; the rest is read
   * on use, each segment once. For memory of which little is loaded yet.
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
   * Returns the result of a lookup, after the flush. In rare cases this reads more and flushes the
   * channel itself.
   *
   * @return the number of candidates (see "output arrays" above): CVTs whose key has the wanted
   *     fingerprint; the CVT shows whether it has the wanted key. Or {@link #STALE}: look up again,
   *     with {@link Environment#backoff} between attempts
   */
  public int collect(Channel channel, int ticket, long lotusKey, long[] out) {
    return lookup.collect(channel, ticket, lotusKey, NOT_POSTED, out);
  }

  /**
   * Returns the result of a lookup whose overflow block was read together with others ({@link
   * OverflowReads}).
   */
  int collect(Channel channel, int ticket, long lotusKey, int overflow, long[] out) {
    return lookup.collect(channel, ticket, lotusKey, overflow, out);
  }

  /**
   * Looks up a key, repeating until the result is not stale; leaves the staging stack as it was.
   *
   * @return the number of candidates (see "output arrays" above)
   * @throws SegmentLatchedException if a failed owner left the segment's lines half-overwritten
   */
  public int lookup(Channel channel, long lotusKey, long[] out) {
    return lookup.find(channel, lotusKey, out);
  }

  /**
   * Looks up a key whose row will be inserted if it is absent: the READs of the lookup are also the
   * first READs of the insert. Unlike {@link #lookup} this leaves the window in the staging buffer;
   * the caller releases it when the insert is done.
   *
   * @param probe receives the state for {@link #insert(Channel, PoolAllocator, long, long,
   *     HashProbe)}
   * @return the number of candidates (see "output arrays" above)
   * @throws SegmentLatchedException if a failed owner left the segment's lines half-overwritten
   */
  public int lookupForInsert(Channel channel, long lotusKey, long[] out, HashProbe probe) {
    return lookup.findForInsert(channel, lotusKey, out, probe);
  }

  /**
   * Posts the READ of a lookup, as {@link #postLookup(Channel, long)} does, for a key whose row
   * will be inserted if it is absent.
   *
   * @param probe receives the state for {@link #postInsert}; the window must stay in the staging
   *     buffer until then
   */
  public int postLookup(Channel channel, long lotusKey, HashProbe probe) {
    return lookup.post(channel, lotusKey, probe);
  }

  /**
   * Posts the insert of an entry, after a lookup without a candidate was collected under the write
   * lock that is still held. Many may be posted before one flush, also together with the WRITE of
   * the CVT on the same channel if there is only one memory node. Reserves 16 staging bytes, which
   * the caller releases.
   *
   * @return a ticket for {@link #isInserted}, or {@link #NOT_POSTED}: use {@link #insert}
   */
  public int postInsert(Channel channel, long lotusKey, long cvt, HashProbe probe) {
    return change.postInsert(channel, KeyHash.mix(lotusKey), cvt, probe);
  }

  /**
   * Returns true, after the flush, if the entry is present. If false, it may or may not be present,
   * and {@link #insert} must be called.
   */
  public boolean isInserted(Channel channel, int ticket, HashProbe probe) {
    return ticket >= 0 && EntryChange.isDone(channel, ticket, probe);
  }

  /** Hints that a key will be looked up soon (see {@link Channel#prefetch}). */
  public void prefetch(Channel channel, long lotusKey) {
    lookup.prefetch(channel, lotusKey);
  }

  /** Hints that a key will be looked up soon and, if it is absent, inserted. */
  public void prefetchForInsert(Channel channel, long lotusKey) {
    lookup.prefetchForInsert(channel, lotusKey);
  }

  /** Returns true if an entry is present; leaves the staging stack as it was. */
  public boolean contains(Channel channel, long lotusKey, long cvt) {
    return lookup.contains(channel, lotusKey, cvt);
  }

  /**
   * Returns true if an entry of one LOTUS key may be mistaken for an entry of another one, until
   * its CVT is read.
   */
  public static boolean areAlike(long lotusKey, long other) {
    return KeyHash.fingerprint(KeyHash.mix(lotusKey)) == KeyHash.fingerprint(KeyHash.mix(other));
  }

  /**
   * Ensures that an entry is present. The CVT's first word (the LOTUS key) has been written, or its
   * WRITE was posted on this channel before; the caller holds the key's write lock.
   *
   * @return false if the pool is exhausted: the entry is absent, and nothing has changed
   * @throws SegmentLatchedException if a failed owner holds the latch: the entry may be present or
   *     not
   */
  public boolean insert(Channel channel, PoolAllocator allocator, long lotusKey, long cvt) {
    return insert(channel, allocator, lotusKey, cvt, null);
  }

  /**
   * Ensures that the entry of a new CVT is present, after {@link #lookupForInsert} under the write
   * lock that is still held. This usually saves a round trip.
   *
   * @param probe probe of that lookup, whose window is still in the staging buffer; null: look up
   *     now
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
   * @return whether the entry was present
   * @throws SegmentLatchedException if a failed owner holds the latch: the entry may be present or
   *     not
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
   * Posts the removal of an entry that the window of a lookup contains. The lookup was flushed
   * under the write lock that is still held; it need not have been collected. Many may be posted
   * before one flush. Reserves 16 staging bytes, which the caller releases.
   *
   * @param probe probe of that lookup, whose window is still in the staging buffer
   * @return a ticket for {@link #finishRemove}, or {@link #NOT_POSTED}
   */
  public int postRemove(Channel channel, long lotusKey, long cvt, HashProbe probe) {
    return change.postRemove(channel, KeyHash.mix(lotusKey), cvt, probe);
  }

  /** Ensures, after the flush, that the entry is absent, as {@link #remove} does. */
  public void finishRemove(Channel channel, long lotusKey, long cvt, int ticket, HashProbe probe) {
    if (EntryChange.isRemoved(channel, ticket, KeyHash.mix(lotusKey), cvt, probe)) {
      estimate.entryRemoved();
    } else {
      remove(channel, lotusKey, cvt);
    }
  }

  /** Creates a cursor over all entries; it may be kept and reused, by one thread at a time. */
  public HashCursor newCursor() {
    return new HashCursor(environment, directory);
  }

  /**
   * Finishes or undoes the splits that a failed owner left half-done. The caller knows that the
   * owner has failed and is fenced: none of its verbs can arrive any more. If the repair itself is
   * interrupted, it is repeated for the owner id of the repairing node.
   *
   * @return the number of segments that were repaired
   */
  public int repair(Channel channel, PoolAllocator allocator, int deadOwner) {
    SegmentGrowth growth = change.takeGrowth();
    int repaired = new IndexRepair(growth, deadOwner).run(channel, allocator, root);
    change.giveGrowth(growth);
    return repaired;
  }

  /**
   * Scans an index that is not in use yet, after its repair, and removes the entries that the
   * visitor rejects.
   *
   * @return the number of entries removed
   */
  public int sweep(Channel channel, HashSweepVisitor sweep) {
    return new IndexSweeper(sweep).run(channel, root);
  }

  /**
   * Retires all memory of the index. The index is not used any more, except by earlier transactions
   * that may still read it.
   */
  public void drop(Channel channel, PoolAllocator allocator) {
    new HashInspection(root).drop(channel, allocator, clock.applyAsLong(channel));
  }

  /** Returns the estimate of the number of entries. */
  public HashEstimate estimate() {
    return estimate;
  }

  /**
   * Returns size and load factor; exact for small indexes, from a sample of segments for large
   * ones.
   */
  public HashStatistics statistics(Channel channel) {
    return new HashInspection(root).statistics(channel);
  }

  /**
   * Checks every invariant of an index that does not change meanwhile; reads all of it, and the
   * LOTUS key of every entry's CVT.
   *
   * @return the number of entries
   * @throws IllegalStateException if an invariant is violated; the message says which one and where
   */
  public long verify(Channel channel) {
    return new HashInspection(root).verify(channel);
  }
}
