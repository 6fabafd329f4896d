package org.nelumbo.executor.insert;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LeafImages;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.hash.OverflowReads;
import org.nelumbo.dm.index.tree.LeafLookups;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexTrees;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.index.ValueLocks;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.ScanLocks;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtWriter;

/**
 * Adds the CVTs of new rows, whose locks are held, to hash indexes and ordered indexes, usually in
 * two round trips:
 *
 * <ol>
 *   <li>Write the CVTs, look up the keys, and latch the leaves of ordered indexes.
 *   <li>Add the entries and release the latches.
 * </ol>
 *
 * <p>The key of a row of a table without a hash index is looked up in the leaf that its entry is
 * added to. The row's write lock is held, so that no other transaction adds or removes the key.
 *
 * <p>Rows that cannot be handled this way are added individually afterwards. Not thread-safe.
 */
public final class BatchInserter {
  /** Maximum number of rows that are placed together. */
  public static final int ROWS_MAX = 64;

  /** Ticket of a row that is not placed, or whose entry is added individually. */
  private static final int ALONE = -1;

  /** Ticket of a row that needs no further entry in a hash index. */
  private static final int INSERTED = -2;

  /**
   * Number of rounds in which rows that had chosen the same slot search for other slots together.
   */
  private static final int ROUNDS = 4;

  private final Channel channel;
  private final boolean remote;
  private final PoolAllocator allocator;
  private final CriticalSection critical;
  private final CvtWriter cvts;
  private final InsertUndo undo;
  private final WriteSet writes;
  private final IndexWriter indexWriter;
  private final IndexEntryInserter entries;
  private final ScanLocks scans;
  private final ValueLocks values;
  private final KeyBuffer entryKey = new KeyBuffer();
  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
  private final int[] tickets = new int[ROWS_MAX];
  private final OverflowReads overflow = new OverflowReads(ROWS_MAX);
  private HashProbe[] probes = {new HashProbe()};

  /** Lookups in tables without a hash index; null until the first one. */
  private LeafLookups leaves;

  private final int[] leafTickets = new int[ROWS_MAX];

  /** CVTs of tables without a hash index that are freed after the next flush. */
  private final long[] dead = new long[ROWS_MAX];

  private final int[] deadClasses = new int[ROWS_MAX];
  private int deadCount;

  private NewRows rows;
  private int from;
  private int to;

  public BatchInserter(
      CoordinatorContext context,
      KeyLocks locks,
      WriteSet writes,
      IndexWriter indexWriter,
      IndexTrees trees,
      IndexJournal journal,
      InsertUndo undo) {
    this.channel = context.channel();
    this.remote = context.caches().isRemote();
    this.allocator = context.allocator();
    this.critical = context.critical();
    this.writes = writes;
    this.indexWriter = indexWriter;
    this.undo = undo;
    this.cvts = new CvtWriter(channel);
    this.entries = new IndexEntryInserter(context, locks, trees, journal, this::leaveAlone);
    this.scans = new ScanLocks(locks);
    this.values = new ValueLocks(locks);
  }

  /**
   * Places rows, at most {@link #ROWS_MAX}. A row whose key exists or existed before keeps the CVT
   * address NULL, and so does a row with a unique value that may not be free. Returns OK, CONFLICT,
   * CANCELLED or EXHAUSTED; unless OK, no row is placed. EXHAUSTED may also mean that the rows have
   * to be inserted one by one.
   */
  public Outcome place(NewRows newRows, int first, int end) {
    rows = newRows;
    from = first;
    to = end;
    Outcome claimed = claimScans();
    claimed = claimed == Outcome.OK ? enterValues() : claimed;
    if (claimed != Outcome.OK) {
      return claimed;
    }
    try {
      critical.begin();
      Outcome result = place();
      critical.end();
      values.leave();
      return result;
    } catch (RuntimeException | Error e) {
      throw critical.failed(e);
    }
  }

  private Outcome claimScans() {
    Outcome status = Outcome.OK;
    for (int i = from; i < to && status == Outcome.OK; i++) {
      status = scans.acquireOwn(rows.table(i));
    }
    return status;
  }

  private Outcome enterValues() {
    for (int i = from; i < to; i++) {
      for (IndexStore index : rows.table(i).indexes()) {
        index.encoder().build(rows.image(i), entryKey);
        values.add(index, entryKey);
      }
    }
    return values.enter();
  }

  private Outcome place() {
    int journal = indexWriter.mark();
    int mark = channel.mark();
    boolean created = create();
    if (created) {
      postLookups();
      entries.begin(rows, from, to);
    }
    channel.flush();
    Outcome status = Outcome.EXHAUSTED;
    if (created) {
      collectLookups();
      status = addEntries();
    } else {
      giveBack();
    }
    channel.release(mark);
    freeDead();
    if (status != Outcome.OK) {
      indexWriter.rollbackTo(journal);
      takeBack();
    }
    return status;
  }

  private boolean create() {
    while (probes.length < to - from) {
      growProbes();
    }
    for (int i = from; i < to; i++) {
      rows.setCvt(i, PoolAddress.NULL);
      if (isPlaceable(i)) {
        TableStore table = rows.table(i);
        long cvt = table.allocate(allocator, rows.blockClass(i), rows.lotusKey(i));
        if (cvt == PoolAddress.NULL) {
          return false;
        }
        rows.setCvt(i, cvt);
        channel.prefetch(cvt, table.rowBytes());
      }
    }
    cvts.beginEmptyCvts();
    for (int i = from; i < to; i++) {
      if (rows.isPlaced(i)) {
        cvts.addEmptyCvt(rows.table(i), rows.lotusKey(i), rows.cvt(i), rows.blockClass(i));
        if (!remote) {
          cvts.postEmptyCvts();
        }
      }
    }
    cvts.postEmptyCvts();
    return true;
  }

  private void growProbes() {
    HashProbe[] more = new HashProbe[Math.min(ROWS_MAX, probes.length * 4)];
    for (int i = 0; i < more.length; i++) {
      more[i] = i < probes.length ? probes[i] : new HashProbe();
    }
    probes = more;
  }

  private boolean isPlaceable(int i) {
    TableStore table = rows.table(i);
    return (!table.hasUniqueIndex() || rows.isFree(i))
        && !rows.isRepeated(i, from)
        && !isWritten(i);
  }

  private boolean isWritten(int i) {
    KeyBuffer key = rows.key(i);
    return writes.find(rows.table(i), rows.lotusKey(i), key.bytes, 0, key.length) >= 0;
  }

  /** Frees the memory of CVTs that no index refers to. */
  private void giveBack() {
    for (int i = from; i < to; i++) {
      if (rows.isPlaced(i)) {
        giveBack(i);
      }
    }
  }

  private void giveBack(int i) {
    if (rows.table(i).hash() == null) {
      cvts.postDead(rows.cvt(i));
      dead[deadCount] = rows.cvt(i);
      deadClasses[deadCount++] = rows.blockClass(i);
    } else {
      allocator.free(rows.cvt(i), rows.blockClass(i));
    }
    rows.setCvt(i, PoolAddress.NULL);
  }

  /** Frees the CVTs whose LOTUS keys had to be removed first. */
  private void freeDead() {
    if (deadCount > 0) {
      channel.flush();
    }
    while (deadCount > 0) {
      allocator.free(dead[--deadCount], deadClasses[deadCount]);
    }
  }

  private void postLookups() {
    if (leaves != null) {
      leaves.clear();
    }
    for (int i = from; i < to; i++) {
      tickets[i - from] = rows.isPlaced(i) ? lookUp(i) : ALONE;
    }
  }

  private int lookUp(int i) {
    if (rows.table(i).hash() == null) {
      if (!remote) {
        postLeafLookup(i);
      }
      return INSERTED;
    }
    return rows.table(i).hash().postLookup(channel, rows.lotusKey(i), probes[i - from]);
  }

  private void postLeafLookup(int i) {
    if (leaves == null) {
      leaves = new LeafLookups(ROWS_MAX, LeafImages.NONE);
    }
    KeyBuffer key = rows.key(i);
    leafTickets[i - from] = leaves.post(channel, rows.table(i).keyTree(), key.bytes, key.length);
  }

  /** Rows that may exist already are not placed. */
  private void collectLookups() {
    readOverflow();
    for (int i = from; i < to; i++) {
      if (rows.isPlaced(i) && mayExist(i)) {
        leaveAlone(i);
      }
    }
  }

  private void leaveAlone(int i) {
    tickets[i - from] = ALONE;
    giveBack(i);
  }

  private void readOverflow() {
    for (int i = from; i < to; i++) {
      if (isLookedUp(i)) {
        overflow.post(channel, i - from, tickets[i - from], rows.lotusKey(i), probes[i - from]);
      }
    }
    overflow.flush(channel);
  }

  private boolean mayExist(int i) {
    if (rows.table(i).hash() == null) {
      return !remote && isInTree(i);
    }
    int slot = i - from;
    HashIndex hash = rows.table(i).hash();
    return overflow.collect(channel, slot, hash, tickets[slot], rows.lotusKey(i), candidates) != 0;
  }

  /** On a remote fabric, the inserter of entries searches the latched leaves instead. */
  private boolean isInTree(int i) {
    KeyBuffer key = rows.key(i);
    int ticket = leafTickets[i - from];
    OrderedIndex tree = rows.table(i).keyTree();
    return leaves.take(channel, tree, ticket, key.bytes, key.length) != PoolAddress.NULL;
  }

  private Outcome addEntries() {
    entries.postEntries();
    int left = postInserts();
    Outcome status = entries.finish();
    if (status == Outcome.OK && entries.isCollided()) {
      return Outcome.EXHAUSTED;
    }
    for (int round = 0; status == Outcome.OK && round < ROUNDS && left > 1; round++) {
      lookUpAgain();
      left = postInserts();
    }
    for (int i = from; i < to && status == Outcome.OK; i++) {
      if (isOutside(i)) {
        status = insert(i);
      }
    }
    return status;
  }

  private boolean isOutside(int i) {
    return rows.isPlaced(i) && tickets[i - from] != INSERTED;
  }

  private boolean isLookedUp(int i) {
    return isOutside(i) && tickets[i - from] != ALONE;
  }

  private Outcome insert(int i) {
    return indexWriter.addToHash(rows.table(i), rows.lotusKey(i), rows.cvt(i), null);
  }

  /** Returns the number of rows whose slot was taken concurrently. */
  private int postInserts() {
    for (int i = from; i < to; i++) {
      if (isLookedUp(i)) {
        int ticket = scans.tryEnter(rows.table(i)) ? postInsert(i) : ALONE;
        tickets[i - from] = ticket >= 0 ? ticket : ALONE;
      }
    }
    channel.flush();
    scans.leave();
    int left = 0;
    for (int i = from; i < to; i++) {
      if (isLookedUp(i)) {
        boolean done =
            rows.table(i).hash().isInserted(channel, tickets[i - from], probes[i - from]);
        tickets[i - from] = done ? INSERTED : tickets[i - from];
        left += done ? 0 : 1;
      }
    }
    return left;
  }

  private int postInsert(int i) {
    HashProbe probe = probes[i - from];
    return rows.table(i).hash().postInsert(channel, rows.lotusKey(i), rows.cvt(i), probe);
  }

  private void lookUpAgain() {
    for (int i = from; i < to; i++) {
      if (isLookedUp(i)) {
        tickets[i - from] = lookUp(i);
      }
    }
    channel.flush();
    readOverflow();
    for (int i = from; i < to; i++) {
      if (isLookedUp(i) && mayExist(i)) {
        tickets[i - from] = ALONE;
      }
    }
  }

  private void takeBack() {
    undo.begin();
    for (int i = from; i < to; i++) {
      if (rows.isPlaced(i)) {
        KeyBuffer key = rows.key(i);
        TableStore table = rows.table(i);
        undo.add(table, key.bytes, key.length, rows.lotusKey(i), rows.cvt(i), rows.blockClass(i));
        rows.setCvt(i, PoolAddress.NULL);
      }
    }
    undo.run();
  }
}
