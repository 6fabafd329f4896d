package org.nelumbo.executor.readahead;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.OverflowReads;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.cache.NegativeLookupCache;
import org.nelumbo.executor.cache.RecordReadCache;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtLoader;
import org.nelumbo.executor.version.CvtReads;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.VisibilityRules;

/**
 * Reads rows that the next statements will need. Many rows take two round trips, or three if a
 * record is not stored with its CVT. CVTs go to the cache of CVTs, their newest records to the
 * transaction's record cache. The prefetch takes no locks and changes nothing: each statement runs
 * as it would without it, and finds its data in the caches. Data that changes in between is read by
 * the statement. Only rows whose CVTs are kept in the cache are read. Not thread-safe.
 */
public final class RowPrefetch {
  /** Maximum number of rows that can be read together. */
  static final int CAPACITY = 512;

  private static final int NOWHERE = -1;

  private final ReadView view;
  private final Channel channel;
  private final MemorySegment staging;
  private final CvtLoader loader;
  private final RecordReadCache records;
  private final NegativeLookupCache negativeLookups;
  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
  private final boolean[] byKey = new boolean[CAPACITY];
  private final int[] stagingOffsets = new int[CAPACITY];
  private final OverflowReads overflow = new OverflowReads(CAPACITY);
  private final long[] cvts = new long[CAPACITY];
  private final long[] sequences = new long[CAPACITY];
  private final CvtReads reads;
  private final long[] words = new long[CAPACITY];
  private final long[] versions = new long[CAPACITY];

  public RowPrefetch(CoordinatorContext context, ReadView view, TransactionReadCache cache) {
    this.view = view;
    this.channel = context.channel();
    this.staging = channel.staging();
    this.loader = new CvtLoader(context);
    this.reads = new CvtReads(context, CAPACITY);
    this.records = cache.records();
    this.negativeLookups = cache.negativeLookups();
  }

  /** Reads the rows with these LOTUS keys, as far as they can be found without waiting. */
  public void fetch(TableStore[] tables, long[] lotusKeys, int count) {
    Arrays.fill(cvts, 0, count, PoolAddress.NULL);
    fetchAll(tables, lotusKeys, count);
  }

  /**
   * Reads the rows with these LOTUS keys.
   *
   * @param addresses addresses of the CVTs, NULL if unknown; not modified
   */
  void fetch(TableStore[] tables, long[] lotusKeys, long[] addresses, int count) {
    System.arraycopy(addresses, 0, cvts, 0, count);
    fetchAll(tables, lotusKeys, count);
  }

  private void fetchAll(TableStore[] tables, long[] lotusKeys, int count) {
    if (view.isOutlived()) {
      return; // addresses that were noted before may have been reused
    }
    view.pin();
    int mark = channel.mark();
    findCvts(tables, lotusKeys, count);
    channel.release(mark);
    readCvts(tables, lotusKeys, count);
    channel.release(mark);
    readRecords(tables, lotusKeys, count);
    channel.release(mark);
    view.unpin();
  }

  /**
   * The address stays NULL if the row does not exist, or if several rows match. A LOTUS key does
   * not lead to a row of a table without a hash index.
   */
  private void findCvts(TableStore[] tables, long[] lotusKeys, int count) {
    boolean posted = false;
    for (int i = 0; i < count; i++) {
      stagingOffsets[i] = NOWHERE;
      byKey[i] = cvts[i] == PoolAddress.NULL;
      if (!byKey[i] || !loader.isKept(lotusKeys[i])) {
        continue;
      }
      CachedCvt known = loader.find(tables[i], lotusKeys[i]);
      if (known != null) {
        cvts[i] = known.address();
      } else if (tables[i].hash() != null) {
        sequences[i] = loader.sequence(lotusKeys[i]);
        stagingOffsets[i] = tables[i].hash().postLookup(channel, lotusKeys[i]);
        posted = true;
      }
    }
    if (!posted) {
      return;
    }
    channel.flush();
    readOverflow(lotusKeys, count);
    for (int i = 0; i < count; i++) {
      if (stagingOffsets[i] != NOWHERE) {
        HashIndex hash = tables[i].hash();
        int hits = overflow.collect(channel, i, hash, stagingOffsets[i], lotusKeys[i], candidates);
        cvts[i] = hits == 1 ? candidates[0] : PoolAddress.NULL;
        if (hits == 0) {
          negativeLookups.put(tables[i], lotusKeys[i], sequences[i]);
        }
      }
    }
  }

  private void readOverflow(long[] lotusKeys, int count) {
    for (int i = 0; i < count; i++) {
      if (stagingOffsets[i] != NOWHERE) {
        overflow.post(channel, i, stagingOffsets[i], lotusKeys[i]);
      }
    }
    overflow.flush(channel);
  }

  /** Records in the inline slot of their CVT are cached, too. */
  private void readCvts(TableStore[] tables, long[] lotusKeys, int count) {
    boolean posted = false;
    reads.begin();
    for (int i = 0; i < count; i++) {
      stagingOffsets[i] = NOWHERE;
      CachedCvt known = loader.find(tables[i], lotusKeys[i]);
      if (cvts[i] == PoolAddress.NULL
          || !loader.isKept(lotusKeys[i])
          || (known != null && known.isReadable())
          || channel.stagingAvailable() < tables[i].cvtBytes()) {
        continue;
      }
      sequences[i] = loader.sequence(lotusKeys[i]);
      stagingOffsets[i] = reads.add(i, tables[i], cvts[i]);
      posted = true;
    }
    reads.post();
    if (!posted) {
      return;
    }
    channel.flush();
    records.confirm();
    for (int i = 0; i < count; i++) {
      if (stagingOffsets[i] >= 0 && !view.isOutlived()) {
        if (loader.keep(tables[i], lotusKeys[i], cvts[i], stagingOffsets[i], sequences[i])) {
          keepRecord(tables[i], i);
        }
      }
    }
  }

  private void keepRecord(TableStore table, int i) {
    if (choose(stagingOffsets[i], table, i)) {
      int record = reads.recordOffset(i, words[i]);
      if (record != CvtReads.NOWHERE) {
        int bytes = SizeClass.bytes(CellLayout.sizeClass(words[i]));
        records.put(CellLayout.address(words[i]), versions[i], staging, record, bytes);
      }
    }
  }

  private void readRecords(TableStore[] tables, long[] lotusKeys, int count) {
    boolean posted = false;
    for (int i = 0; i < count; i++) {
      stagingOffsets[i] = NOWHERE;
      CachedCvt known = loader.find(tables[i], lotusKeys[i]);
      if (known != null && known.isReadable() && choose(known, tables[i], i)) {
        int bytes = SizeClass.bytes(CellLayout.sizeClass(words[i]));
        if (channel.stagingAvailable() >= bytes) {
          stagingOffsets[i] = channel.reserve(bytes);
          channel.read(CellLayout.address(words[i]), stagingOffsets[i], bytes);
          posted = true;
        }
      }
    }
    if (!posted) {
      return;
    }
    channel.flush();
    for (int i = 0; i < count; i++) {
      if (stagingOffsets[i] >= 0) {
        int bytes = SizeClass.bytes(CellLayout.sizeClass(words[i]));
        records.put(CellLayout.address(words[i]), versions[i], staging, stagingOffsets[i], bytes);
      }
    }
  }

  /**
   * Returns true if a record of a CVT has yet to be read: the record of the newest version. If that
   * is a deletion without a record, and the row is requested by its key, it is the record of the
   * version before, which holds the key.
   */
  private boolean choose(CachedCvt known, TableStore table, int i) {
    int bytes = table.cvtBytes();
    if (channel.stagingAvailable() < bytes) {
      return false;
    }
    int mark = channel.mark();
    int stagingOffset = channel.reserve(bytes);
    known.copyTo(staging, stagingOffset);
    boolean missing = choose(stagingOffset, table, i);
    channel.release(mark);
    return missing;
  }

  private boolean choose(int stagingOffset, TableStore table, int i) {
    int cell = VisibilityRules.newest(staging, stagingOffset, table.versions());
    if (cell >= 0
        && byKey[i]
        && !CellLayout.hasRecord(CvtLayout.word0(staging, stagingOffset, cell))) {
      cell = VisibilityRules.newestWithRecord(staging, stagingOffset, table.versions());
    }
    if (cell >= 0) {
      words[i] = CvtLayout.word0(staging, stagingOffset, cell);
      versions[i] = CellLayout.version(CvtLayout.word1(staging, stagingOffset, cell));
    }
    return cell >= 0
        && CellLayout.hasRecord(words[i])
        && !records.contains(CellLayout.address(words[i]), versions[i]);
  }
}
