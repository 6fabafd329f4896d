package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.LeafLookups;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.cache.NegativeLookupCache;
import org.nelumbo.executor.cache.RecordReadCache;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Snapshot;

/**
 * Finds one row by its primary key: hash index (or the ordered primary index of a table without
 * one), CVT, record. With cached CVTs the first step, or the first two, are skipped. A LOTUS key is
 * a hash, so there may be several candidates; the key in the record decides. The caller has pinned
 * its epoch. Not thread-safe.
 */
public final class RowFinder {
  private final Channel channel;
  private final MemorySegment staging;
  private final VersionReader reader;
  private final CvtLoader loader;
  private final NegativeLookupCache negativeLookups;
  private final RecordReadCache records;

  private long[] candidates = new long[HashIndex.USUAL_CANDIDATES];

  private long cvt;
  private long version;
  private boolean deleted;
  private boolean imageKnown;

  /** Lookups in tables without a hash index; null on a local fabric. */
  private final LeafLookups leaves;

  public RowFinder(CoordinatorContext context, VersionReader reader, TransactionReadCache cache) {
    this.channel = context.channel();
    this.staging = channel.staging();
    this.reader = reader;
    this.loader = new CvtLoader(context);
    this.negativeLookups = cache.negativeLookups();
    this.records = cache.records();
    this.leaves = cache.isRemote() ? new LeafLookups(1, cache) : null;
  }

  /** Returns the address of the row's CVT that the last call found; 0 if there is none. */
  public long cvt() {
    return cvt;
  }

  /** Returns the version of the row that was found; 0 if there is none. */
  public long version() {
    return version;
  }

  /**
   * Returns true if the image of the row was found. The image of a deleted row is lost if a compute
   * node overwrote it and failed before its commit.
   */
  public boolean isImageKnown() {
    return imageKnown;
  }

  /**
   * Finds the newest version, under the key's lock. Returns OK with its image in {@code out};
   * NOT_FOUND, when {@link #cvt} may be the CVT of a deleted row; or the failure.
   *
   * @param hint a CVT address to try first, or 0
   * @param plan filled in from the CVT that was found, for a later write; may be null
   */
  public Outcome findLocked(
      TableStore table, KeyBuffer key, long hint, RowBuffer out, VersionSlotPlan plan) {
    int mark = channel.mark();
    CachedCvt known = loader.find(table, key.lotusKey);
    long address = known != null ? known.address() : hint;
    Outcome status = Outcome.NOT_FOUND;
    if (address != 0) {
      status = tryLocked(table, key, address, known, false, out, plan);
    }
    if (address == 0 && isAbsent(table, key.lotusKey, true)) {
      clear();
    } else if (status == Outcome.NOT_FOUND
        && (address == 0 || cvt == 0 || (deleted && reader.isShared()))) {
      // Indexes may no longer lead to a deleted row, if a compute node failed while it removed the
      // row.
      channel.release(mark);
      status = searchLocked(table, key, out, plan);
    }
    channel.release(mark);
    return status;
  }

  /**
   * Returns true if it is known that no row has this LOTUS key: none that the snapshot sees or, for
   * the holder of the key's lock, none at all.
   */
  public boolean isAbsent(TableStore table, long lotusKey, boolean locked) {
    boolean known =
        locked
            ? negativeLookups.isAbsentUnderLock(table, lotusKey)
            : negativeLookups.isAbsent(table, lotusKey);
    if (known) {
      records.unconfirm();
    }
    return known;
  }

  /**
   * Finds a row that is going to be inserted if it does not exist. Leaves data for the insert in
   * {@code probe} and in the staging buffer, which the caller releases.
   */
  public Outcome findForInsert(
      TableStore table, KeyBuffer key, RowBuffer out, VersionSlotPlan plan, HashProbe probe) {
    int count = lookupForInsert(table, key, probe);
    int mark = channel.mark();
    Outcome status = choose(table, key, Math.min(count, candidates.length), out, plan);
    channel.release(mark);
    return status;
  }

  private Outcome searchLocked(
      TableStore table, KeyBuffer key, RowBuffer out, VersionSlotPlan plan) {
    return choose(table, key, lookup(table, key), out, plan);
  }

  private Outcome choose(
      TableStore table, KeyBuffer key, int count, RowBuffer out, VersionSlotPlan plan) {
    clear();
    Outcome status = Outcome.NOT_FOUND;
    for (int i = 0; i < count && cvt == 0 && status == Outcome.NOT_FOUND; i++) {
      status = tryLocked(table, key, candidates[i], null, true, out, plan);
    }
    return status;
  }

  private int lookupForInsert(TableStore table, KeyBuffer key, HashProbe probe) {
    if (table.hash() == null) {
      return lookupInTree(table, key);
    }
    int count = table.hash().lookupForInsert(channel, key.lotusKey, candidates, probe);
    if (count > candidates.length) {
      candidates = new long[count];
      count = table.hash().lookupForInsert(channel, key.lotusKey, candidates, probe);
    }
    return count;
  }

  private int lookupInTree(TableStore table, KeyBuffer key) {
    candidates[0] =
        leaves == null
            ? table.keyTree().get(channel, key.bytes, key.length)
            : leaves.get(channel, table.keyTree(), key.bytes, key.length);
    return candidates[0] == PoolAddress.NULL ? 0 : 1;
  }

  private int lookup(TableStore table, KeyBuffer key) {
    if (table.hash() == null) {
      return lookupInTree(table, key);
    }
    int count = table.hash().lookup(channel, key.lotusKey, candidates);
    while (count > candidates.length) {
      candidates = new long[count];
      count = table.hash().lookup(channel, key.lotusKey, candidates);
    }
    return count;
  }

  private void clear() {
    cvt = 0;
    version = 0;
    deleted = false;
    imageKnown = false;
  }

  /**
   * Checks a candidate, under the key's lock.
   *
   * @param isFromIndex true if an index that was read just now leads to the candidate
   */
  private Outcome tryLocked(
      TableStore table,
      KeyBuffer key,
      long candidate,
      CachedCvt known,
      boolean isFromIndex,
      RowBuffer out,
      VersionSlotPlan plan) {
    clear();
    boolean guarded = reader.isGuarded();
    boolean cached = !guarded && known != null && known.isReadable();
    long sequence = loader.sequence(key.lotusKey);
    if (guarded) {
      reader.postGuard(0, table, key.lotusKey, candidate);
    }
    int offset;
    if (cached) {
      offset = reader.stageCvt(known, table.cvtBytes());
    } else {
      offset = guarded ? reader.readGuardedCvt(table, candidate) : reader.readCvt(table, candidate);
    }
    Outcome judged = guarded ? reader.judge(0, table, offset) : Outcome.OK;
    if (judged != Outcome.OK) {
      return judged;
    }
    if (!loader.isOf(offset, table, key.lotusKey)) {
      if (isFromIndex) {
        reader.checkStray(table, key.lotusKey, key, candidate, offset, true);
      }
      return Outcome.NOT_FOUND;
    }
    if (!reader.chooseNewest(offset, table.versions())) {
      return Outcome.NOT_FOUND;
    }
    table.noteInlineSlot(CvtLayout.blockClass(staging, offset));
    // A deleted row whose key is lost may be this row: it has the same LOTUS key.
    imageKnown = reader.readKeyRecord(offset, table.versions());
    if (imageKnown) {
      reader.copyImage(out, reader.isDeleted() ? 0 : table.layout().leastImageBytes());
      if (!hasKey(out, key)) {
        if (isFromIndex && !reader.isDeleted()) {
          VersionReader.checkKey(table, key, out, candidate);
        }
        return Outcome.NOT_FOUND;
      }
    }
    cvt = candidate;
    version = reader.version();
    deleted = reader.isDeleted();
    if (!cached) {
      loader.keepLocked(table, key.lotusKey, candidate, offset, sequence);
    }
    if (plan != null) {
      plan.planFrom(staging, offset, table.versions());
    }
    return deleted ? Outcome.NOT_FOUND : Outcome.OK;
  }

  /**
   * Finds the version that a snapshot sees, without a lock. Returns OK with its image in {@code
   * out}, NOT_FOUND, or the reason why the version cannot be determined.
   */
  public Outcome findVisible(TableStore table, KeyBuffer key, Snapshot snapshot, RowBuffer out) {
    int mark = channel.mark();
    CachedCvt known = loader.find(table, key.lotusKey);
    Outcome status = Outcome.NOT_FOUND;
    if (known != null) {
      status = tryVisible(table, key, known.address(), known, snapshot, out);
    }
    if (status == Outcome.NOT_FOUND && !isAbsent(table, key.lotusKey, false)) {
      int count = lookup(table, key);
      status = reader.absent(snapshot);
      for (int i = 0; i < count && status == Outcome.NOT_FOUND; i++) {
        status = tryVisible(table, key, candidates[i], null, snapshot, out);
      }
    }
    channel.release(mark);
    return status == Outcome.NOT_FOUND ? reader.absent(snapshot) : status;
  }

  private Outcome tryVisible(
      TableStore table,
      KeyBuffer key,
      long candidate,
      CachedCvt known,
      Snapshot snapshot,
      RowBuffer out) {
    int offset =
        known != null && known.isReadable()
            ? reader.stageCvt(known, table.cvtBytes())
            : readUnlocked(table, key, candidate);
    if (!loader.isOf(offset, table, key.lotusKey)) {
      Outcome age = reader.absent(snapshot);
      if (known == null && age == Outcome.NOT_FOUND) {
        reader.checkStray(table, key.lotusKey, key, candidate, offset, false);
      }
      return age;
    }
    Outcome status =
        reader.readVisible(candidate, offset, table.cvtBytes(), table.versions(), snapshot);
    if (status == Outcome.OK) {
      reader.copyImage(out, table.layout().leastImageBytes());
      if (hasKey(out, key)) {
        return Outcome.OK;
      }
      if (known == null) {
        VersionReader.checkKey(table, key, out, candidate);
      }
      return Outcome.NOT_FOUND;
    }
    return status;
  }

  private int readUnlocked(TableStore table, KeyBuffer key, long candidate) {
    long sequence = loader.sequence(key.lotusKey);
    int offset = reader.readCvt(table, candidate);
    loader.keep(table, key.lotusKey, candidate, offset, sequence);
    return offset;
  }

  public static boolean hasKey(RowBuffer image, KeyBuffer key) {
    int from = image.offset;
    return image.length >= key.length
        && Arrays.equals(image.bytes, from, from + key.length, key.bytes, 0, key.length);
  }
}
