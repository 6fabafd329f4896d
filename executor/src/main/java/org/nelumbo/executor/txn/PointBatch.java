package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.OverflowReads;
import org.nelumbo.dm.index.tree.LeafLookups;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.cache.CachedCvt;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.executor.version.CvtLoader;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * Reads the rows of many keys, of one table or several, in a constant number of round trips: locks,
 * hash buckets, CVTs, records. This is LOTUS's "add to the read set, add to the write set,
 * execute": a row that was read with a write lock can be changed or deleted here without being read
 * again.
 *
 * <p>Keys are copied; rows are valid until the next {@link #execute} or {@link #clear}. Not
 * thread-safe.
 */
public final class PointBatch {
  private static final int OWN_WRITE = -1;
  private static final int NOT_NOW = -2;
  private static final int KNOWN = -3;
  private static final int ABSENT = -4;
  private static final long NEVER = -1;

  private final TransactionContext context;
  private final RowOperations rowOperations;
  private final ReadView view;
  private final KeyLocks locks;
  private final WriteSet writes;
  private final Channel channel;
  private final CvtBatch batch;
  private final RowFinder finder;
  private final CvtLoader loader;

  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];

  private TableStore[] tables = new TableStore[16];
  private KeyBuffer[] keys = new KeyBuffer[16];
  private RowBuffer[] rows = new RowBuffer[16];
  private VersionSlotPlan[] plans = new VersionSlotPlan[16];
  private long[] addresses = new long[16];

  /** Lock mode of each key; null for the mode that is passed to {@link #execute}. */
  private LockMode[] modes = new LockMode[16];

  private boolean[] found = new boolean[16];
  private int size;
  private long executedIn = NEVER;

  // members: the CVTs that are read together
  private final TableStore[] memberTables = new TableStore[CvtBatch.CAPACITY];
  private final VersionSlotPlan[] memberPlans = new VersionSlotPlan[CvtBatch.CAPACITY];
  private final long[] cvts = new long[CvtBatch.CAPACITY];
  private final long[] memberKeys = new long[CvtBatch.CAPACITY];
  private final int[] members = new int[CvtBatch.CAPACITY];

  /** True if the address came from the cache: the CVT may then belong to a row with another key. */
  private final boolean[] memberCached = new boolean[CvtBatch.CAPACITY];

  /** Cached address of the CVT, for keys with the ticket {@link #KNOWN}. */
  private final long[] known = new long[CvtBatch.CAPACITY];

  private final int[] tickets = new int[CvtBatch.CAPACITY];
  private final OverflowReads overflow = new OverflowReads(CvtBatch.CAPACITY);

  /** Lookups in tables without a hash index; null until the first one. */
  private LeafLookups leaves;

  /**
   * Start index of the search in {@link #findKnown}: most callers change rows in the order in which
   * they were read.
   */
  private int next;

  private final LockedRows lockedRows = new LockedRowsOfBatch();

  private final class LockedRowsOfBatch implements LockedRows {
    @Override
    public int find(TableStore table, KeyBuffer key) {
      return findKnown(table, key);
    }

    @Override
    public void row(int i, RowBuffer out) {
      PointBatch.this.row(i, out);
    }

    @Override
    public long cvt(int i) {
      return addresses[i];
    }

    @Override
    public VersionSlotPlan plan(int i) {
      return plans[i];
    }
  }

  PointBatch(TransactionContext context, RowOperations rowOperations) {
    this.context = context;
    this.rowOperations = rowOperations;
    this.view = context.view;
    this.locks = context.locks;
    this.writes = context.writes;
    this.channel = context.coordinator.channel();
    this.batch = context.newCvtBatch(i -> keys[members[i]]);
    this.loader = new CvtLoader(context.coordinator);
    this.finder = context.finder;
  }

  public void clear() {
    size = 0;
    next = 0;
    executedIn = NEVER;
  }

  public int size() {
    return size;
  }

  /** Adds a key with the lock mode that is passed to {@link #execute}; returns its index. */
  public int add(TableStore of, KeyBuffer key) {
    return add(of, key, null);
  }

  /**
   * Adds a key with its own lock mode; returns its index. Locks are acquired in the order in which
   * keys were added.
   */
  public int add(TableStore of, KeyBuffer key, LockMode lockMode) {
    if (size == keys.length) {
      grow();
    }
    if (keys[size] == null) {
      keys[size] = new KeyBuffer();
      rows[size] = new RowBuffer();
    }
    tables[size] = of;
    modes[size] = lockMode;
    addresses[size] = PoolAddress.NULL;
    keys[size].copyFrom(key);
    return size++;
  }

  private void grow() {
    int capacity = size * 2;
    tables = Arrays.copyOf(tables, capacity);
    rows = Arrays.copyOf(rows, capacity);
    plans = Arrays.copyOf(plans, capacity);
    addresses = Arrays.copyOf(addresses, capacity);
    modes = Arrays.copyOf(modes, capacity);
    found = Arrays.copyOf(found, capacity);
    // last, since keys.length is the capacity that add() checks
    keys = Arrays.copyOf(keys, capacity);
  }

  /** Returns true if key {@code i} has a row. */
  public boolean found(int i) {
    return found[i];
  }

  /** Points {@code out} at the row of key {@code i}. */
  public void row(int i, RowBuffer out) {
    out.wrap(rows[i]);
  }

  /**
   * Locks all keys, where isolation level and mode require it, and reads their rows. Returns OK or
   * the failure.
   *
   * @param lockMode mode of the keys that were added without one
   */
  public Outcome execute(LockMode lockMode) {
    if (locks.isOverdue()) {
      return locks.giveWay();
    }
    prefetch();
    int lockedKeys = 0;
    boolean anyWrite = false;
    for (int i = 0; i < size; i++) {
      if (modes[i] == null) {
        modes[i] = lockMode;
      }
      anyWrite |= modes[i] == LockMode.WRITE;
      lockedKeys += view.locksReads(modes[i]) ? 1 : 0;
      addresses[i] = PoolAddress.NULL;
    }
    Outcome status = lockedKeys > 0 ? lockAll(anyWrite) : Outcome.OK;
    if (status != Outcome.OK) {
      return status;
    }
    executedIn = view.generation();
    view.beginCall();
    view.pin();
    status = lockedKeys > 0 ? readAll(true) : Outcome.OK;
    do {
      if (status == Outcome.OK && lockedKeys < size) {
        status = readAll(false);
      }
      if (status == Outcome.OK) {
        status = view.checkAge(); // decides whether the absence of rows counts
      }
    } while (status == Outcome.OK && view.mustReadAgain());
    view.unpin();
    if (status == Outcome.OK && anyWrite) {
      rowOperations.noteBatch(lockedRows);
    }
    return status;
  }

  /** Acquires the locks in the order of the keys, after requesting those of other compute nodes. */
  private Outcome lockAll(boolean anyWrite) {
    Outcome status = locks.isShared() ? lockAhead(anyWrite) : Outcome.OK;
    for (int i = 0; i < size && status == Outcome.OK; i++) {
      if (view.locksReads(modes[i])) {
        status = locks.acquire(keys[i].lotusKey, modes[i]);
      }
    }
    return status;
  }

  /** Write locks first, so that a key that occurs twice is locked in the stronger mode. */
  private Outcome lockAhead(boolean anyWrite) {
    Outcome status = anyWrite ? addAhead(LockMode.WRITE) : Outcome.OK;
    status = status == Outcome.OK ? addAhead(LockMode.READ) : status;
    return status == Outcome.OK ? locks.finishAhead() : status;
  }

  private Outcome addAhead(LockMode mode) {
    Outcome status = Outcome.OK;
    for (int i = 0; i < size && status == Outcome.OK; i++) {
      if (modes[i] == mode && view.locksReads(mode)) {
        status = locks.addAhead(keys[i].lotusKey, mode);
      }
    }
    return status;
  }

  /**
   * Returns the index of an equal key whose row was read under its write lock in the present
   * transaction; -1 if there is none.
   */
  private int findKnown(TableStore table, KeyBuffer key) {
    if (executedIn == view.generation()) {
      for (int n = 0; n < size; n++) {
        int i = next + n < size ? next + n : next + n - size;
        if (keys[i].lotusKey == key.lotusKey
            && tables[i] == table
            && isKnown(i)
            && Arrays.equals(keys[i].bytes, 0, keys[i].length, key.bytes, 0, key.length)) {
          next = i + 1 < size ? i + 1 : 0;
          return i;
        }
      }
    }
    return -1;
  }

  private void prefetch() {
    int count = Math.min(size, CvtBatch.CAPACITY);
    for (int i = 0; i < count; i++) {
      tables[i].prefetch(channel, keys[i].lotusKey);
    }
    for (int i = 0; i < count; i++) {
      locks.prefetch(keys[i].lotusKey);
    }
  }

  private Outcome readAll(boolean locked) {
    Outcome status = Outcome.OK;
    for (int from = 0; from < size && status == Outcome.OK; from += CvtBatch.CAPACITY) {
      status = readChunk(from, Math.min(size, from + CvtBatch.CAPACITY), locked);
    }
    return status;
  }

  private Outcome readChunk(int from, int to, boolean locked) {
    assert view.isPinned() : "follows addresses without a pinned epoch";
    int mark = channel.mark();
    if (leaves != null) {
      leaves.clear();
    }
    if (postLookups(from, to, locked)) {
      channel.flush();
      readOverflow(from, to);
    }
    int count = 0;
    Outcome status = Outcome.OK;
    for (int i = from; i < to && status == Outcome.OK; i++) {
      int ticket = tickets[i - from];
      if (ticket == KNOWN) {
        addMember(count++, i, known[i - from], true, locked);
      } else if (ticket >= 0 && tables[i].hash() == null) {
        long cvt = leaves.take(channel, tables[i].keyTree(), ticket, keys[i].bytes, keys[i].length);
        if (cvt != PoolAddress.NULL) {
          addMember(count++, i, cvt, false, locked);
        }
      } else if (ticket >= 0) {
        HashIndex hash = tables[i].hash();
        int hits = overflow.collect(channel, i - from, hash, ticket, keys[i].lotusKey, candidates);
        if (hits == 1) {
          addMember(count++, i, candidates[0], false, locked);
        } else if (hits != 0) {
          status = readAlone(i, locked);
        }
      }
    }
    channel.release(mark);
    if (status == Outcome.OK) {
      status = view.checkAge();
    }
    return status == Outcome.OK ? readCvts(count, locked) : status;
  }

  private boolean postLookups(int from, int to, boolean locked) {
    boolean posted = false;
    for (int i = from; i < to; i++) {
      if (view.locksReads(modes[i]) != locked) {
        tickets[i - from] = NOT_NOW;
      } else if (ownWrite(i)) {
        tickets[i - from] = OWN_WRITE;
      } else {
        found[i] = false;
        if (isRemembered(i, i - from, locked)) {
          tickets[i - from] = KNOWN;
        } else if (finder.isAbsent(tables[i], keys[i].lotusKey, locked)) {
          tickets[i - from] = ABSENT;
        } else {
          tickets[i - from] = postLookup(i);
          posted = true;
        }
      }
    }
    return posted;
  }

  private int postLookup(int i) {
    if (tables[i].hash() != null) {
      return tables[i].hash().postLookup(channel, keys[i].lotusKey);
    }
    if (leaves == null) {
      leaves = new LeafLookups(CvtBatch.CAPACITY, context.cache);
    }
    return leaves.post(channel, tables[i].keyTree(), keys[i].bytes, keys[i].length);
  }

  private void readOverflow(int from, int to) {
    for (int i = from; i < to; i++) {
      if (tickets[i - from] >= 0 && tables[i].hash() != null) {
        overflow.post(channel, i - from, tickets[i - from], keys[i].lotusKey);
      }
    }
    overflow.flush(channel);
  }

  /**
   * Stores the CVT address in {@code known} if it is in the cache or came with the reply of the
   * compute node that granted the lock; returns false if it is unknown.
   */
  private boolean isRemembered(int i, int slot, boolean locked) {
    CachedCvt cvt = loader.find(tables[i], keys[i].lotusKey);
    long told = locked && locks.isShared() ? locks.rowAddress(keys[i].lotusKey) : PoolAddress.NULL;
    known[slot] = cvt == null ? told : cvt.address();
    return known[slot] != PoolAddress.NULL;
  }

  private boolean ownWrite(int i) {
    int write = writes.find(tables[i], keys[i].lotusKey, keys[i].bytes, 0, keys[i].length);
    if (write < 0) {
      return false;
    }
    found[i] = writes.isPresent(write);
    if (found[i]) {
      rows[i].copy(writes.images(), writes.imageOffset(write), writes.imageLength(write));
    }
    return true;
  }

  private void addMember(int member, int i, long cvt, boolean cached, boolean locked) {
    memberCached[member] = cached;
    members[member] = i;
    memberTables[member] = tables[i];
    cvts[member] = cvt;
    memberKeys[member] = keys[i].lotusKey;
    memberPlans[member] = planOf(i, locked);
  }

  private VersionSlotPlan planOf(int i, boolean locked) {
    if (!locked || modes[i] != LockMode.WRITE) {
      return null;
    }
    if (plans[i] == null) {
      plans[i] = new VersionSlotPlan();
    }
    return plans[i];
  }

  private Outcome readCvts(int count, boolean locked) {
    Outcome status = batch.read(memberTables, cvts, count, memberKeys, locked, memberPlans);
    int left = 0;
    for (int j = 0; j < count && status == Outcome.OK; j++) {
      int i = members[j];
      if (batch.isPresent(j)) {
        batch.copy(j, rows[i]);
        found[i] = RowFinder.hasKey(rows[i], keys[i]);
        addresses[i] = found[i] ? cvts[j] : PoolAddress.NULL;
        if (!found[i] && !memberCached[j] && !view.isOutlived()) {
          VersionReader.checkKey(tables[i], keys[i], rows[i], cvts[j]);
        }
      }
      if (!found[i] && memberCached[j]) {
        leave(left++, j); // this may be another row with the same LOTUS key
      }
    }
    return status == Outcome.OK ? readLeft(left, locked) : status;
  }

  private void leave(int place, int j) {
    members[place] = members[j];
    memberTables[place] = memberTables[j];
    memberKeys[place] = memberKeys[j];
  }

  /**
   * Most remaining keys belong to deleted rows whose record, which contains the key, is still
   * there.
   */
  private Outcome readLeft(int count, boolean locked) {
    if (locked && count > 1) {
      context.prefetch().fetch(memberTables, memberKeys, count);
    }
    Outcome status = Outcome.OK;
    for (int j = 0; j < count && status == Outcome.OK; j++) {
      status = readAlone(members[j], locked);
    }
    return status;
  }

  /** Reads a single key that has several candidates or a stale directory. */
  private Outcome readAlone(int i, boolean locked) {
    TableStore table = tables[i];
    Outcome status =
        locked
            ? finder.findLocked(table, keys[i], 0, rows[i], planOf(i, true))
            : finder.findVisible(table, keys[i], view.snapshot(), rows[i]);
    if (locked && view.isTooNew(finder.version())) {
      return view.changedSinceSnapshot();
    }
    found[i] = status == Outcome.OK;
    addresses[i] = found[i] && locked ? finder.cvt() : PoolAddress.NULL;
    return status == Outcome.NOT_FOUND ? Outcome.OK : status;
  }

  /**
   * Replaces the row of key {@code i}, which was read with {@link LockMode#WRITE}. Does the same as
   * {@link Transaction#update} without reading the row again, and has the same outcomes.
   *
   * @throws IllegalStateException if the batch was executed in another transaction
   */
  public Outcome update(int i, RowBuffer image) {
    checkExecuted();
    return isKnown(i)
        ? rowOperations.updateKnown(tables[i], keys[i], addresses[i], plans[i], rows[i], image)
        : rowOperations.update(tables[i], keys[i], image);
  }

  /**
   * Deletes the row of key {@code i}, which was read with {@link LockMode#WRITE}. Does the same as
   * {@link Transaction#delete} without reading the row again, and has the same outcomes.
   *
   * @throws IllegalStateException if the batch was executed in another transaction
   */
  public Outcome delete(int i) {
    checkExecuted();
    return isKnown(i)
        ? rowOperations.deleteKnown(tables[i], keys[i], addresses[i], plans[i], rows[i])
        : rowOperations.delete(tables[i], keys[i]);
  }

  private boolean isKnown(int i) {
    return modes[i] == LockMode.WRITE && addresses[i] != PoolAddress.NULL;
  }

  private void checkExecuted() {
    if (executedIn != view.generation()) {
      throw new IllegalStateException("the batch was not executed in this transaction");
    }
  }
}
