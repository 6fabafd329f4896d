package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.index.hash.HashProbe;
import org.nelumbo.dm.index.tree.EntryRun;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * Inserts of many rows, of one table or several, in few round trips: one to look all of them up,
 * one to put CVTs and hash entries in place, and two for each leaf of an ordered index that gets
 * entries. All of them are inserted, or none.
 *
 * <p>Rows whose key is, or was, there already, and rows of tables with a unique secondary index or
 * without ordered index, are inserted one by one after the others. Keys and images are copied. Not
 * thread-safe.
 */
public final class InsertBatch {
  /** How many rows are put in place together. */
  private static final int CHUNK = 64;

  /** In the place of a ticket: the row is inserted, or its entry added, by itself. */
  private static final int ALONE = -1;

  /** In the place of a ticket: the entry is in the hash index. */
  private static final int INSERTED = -2;

  /** How often rows that had chosen one place look for others together. */
  private static final int ROUNDS = 4;

  private final Transaction transaction;
  private final RowChange changes;
  private final Engine engine;
  private final Channel channel;
  private final PoolAllocator allocator;
  private final LockAcquirer locks;
  private final WriteSet writes;
  private final long[] candidates = new long[HashIndex.USUAL_CANDIDATES];
  private final EntryRun run = new EntryRun();
  private final KeyBuffer indexKey = new KeyBuffer();
  private final HashProbe[] probes = new HashProbe[CHUNK];
  private final int[] tickets = new int[CHUNK];

  private TableStore[] tables = new TableStore[16];
  private KeyBuffer[] keys = new KeyBuffer[16];
  private RowBuffer[] images = new RowBuffer[16];
  private long[] lotusKeys = new long[16];

  /** Address of the new CVT; NULL if the row is inserted alone. */
  private long[] cvts = new long[16];

  private int size;
  private int failed;

  InsertBatch(Transaction transaction, RowChange changes) {
    this.transaction = transaction;
    this.changes = changes;
    this.engine = transaction.coordinator().engine();
    this.channel = transaction.coordinator().channel();
    this.allocator = transaction.coordinator().allocator();
    this.locks = transaction.locks();
    this.writes = transaction.writes();
    for (int i = 0; i < CHUNK; i++) {
      probes[i] = new HashProbe();
    }
  }

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  /**
   * Adds a row.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code key}
   */
  public void add(TableStore table, KeyBuffer key, RowBuffer image) {
    if (size == keys.length) {
      grow();
    }
    if (keys[size] == null) {
      keys[size] = new KeyBuffer();
      images[size] = new RowBuffer();
    }
    tables[size] = table;
    keys[size].copyFrom(key);
    lotusKeys[size] = key.lotusKey;
    images[size++].copy(image.bytes, image.offset, image.length);
  }

  private void grow() {
    int capacity = size * 2;
    tables = Arrays.copyOf(tables, capacity);
    keys = Arrays.copyOf(keys, capacity);
    images = Arrays.copyOf(images, capacity);
    lotusKeys = Arrays.copyOf(lotusKeys, capacity);
    cvts = Arrays.copyOf(cvts, capacity);
  }

  /** Shows the image of row {@code i}; a view that is valid until the batch is changed. */
  public void row(int i, RowBuffer out) {
    out.wrap(images[i]);
  }

  /** The row that the last DUPLICATE is about. */
  public int failedRow() {
    return failed;
  }

  /**
   * Inserts the rows: OK, or why not, as {@link Transaction#insert} answers; then none of them is
   * inserted. The batch is left as it is.
   */
  public int execute() {
    transaction.checkWritable();
    transaction.indexWriter().clearViolated();
    long savepoint = transaction.savepoint();
    transaction.pin();
    int status = lockAll();
    for (int from = 0; from < size && status == Transaction.OK; from += CHUNK) {
      status = insertChunk(from, Math.min(size, from + CHUNK));
    }
    if (status == Transaction.EXHAUSTED) {
      transaction.rollbackTo(savepoint);
      engine.refreshHorizonForMemory();
      Arrays.fill(cvts, 0, size, PoolAddress.NULL);
      status = insertRest(0, size);
    }
    if (status != Transaction.OK) {
      transaction.rollbackTo(savepoint);
    }
    transaction.unpin();
    return status;
  }

  /** Takes all locks; those of the first rows, and their index windows, are announced before. */
  private int lockAll() {
    int first = Math.min(size, CHUNK);
    for (int i = 0; i < first; i++) {
      tables[i].hash().prefetch(channel, lotusKeys[i], true);
    }
    for (int i = 0; i < first; i++) {
      locks.prefetch(lotusKeys[i]);
    }
    int status = Transaction.OK;
    for (int i = 0; i < size && status == Transaction.OK; i++) {
      status = locks.acquire(lotusKeys[i], LockTable.WRITE);
    }
    return status;
  }

  private int insertChunk(int from, int to) {
    int status = place(from, to);
    if (status != Transaction.OK) {
      takeBack(from, to);
      return status;
    }
    for (int i = from; i < to; i++) {
      if (isPlaced(i)) {
        changes.noteFresh(tables[i], keys[i], images[i], cvts[i]);
      }
    }
    for (int i = from; i < to && status == Transaction.OK; i = endOfRun(i, to)) {
      if (isPlaced(i)) {
        status = addSecondary(tables[i], i, endOfRun(i, to));
      }
    }
    return status == Transaction.OK ? insertRest(from, to) : status;
  }

  /** Makes the CVTs of new rows, and puts them into hash index and primary index. */
  private int place(int from, int to) {
    Arrays.fill(cvts, from, to, PoolAddress.NULL);
    int mark = channel.mark();
    lookUp(from, to);
    int status = create(from, to);
    if (status == Transaction.OK) {
      status = addToHashIndexes(from, to);
    }
    channel.release(mark);
    for (int i = from; i < to && status == Transaction.OK; i = endOfRun(i, to)) {
      if (isPlaced(i)) {
        status = addPrimary(tables[i], i, endOfRun(i, to));
      }
    }
    return status;
  }

  /** Of rows that are not in the write set yet. */
  private void takeBack(int from, int to) {
    for (int i = from; i < to; i++) {
      if (isPlaced(i)) {
        changes.removeFresh(tables[i], keys[i].bytes, keys[i].length, lotusKeys[i], cvts[i]);
        cvts[i] = PoolAddress.NULL;
      }
    }
  }

  /** Where the rows end that go to the same ordered indexes as row {@code from}. */
  private int endOfRun(int from, int to) {
    int end = from + 1;
    while (end < to && tables[end] == tables[from] && isPlaced(end) == isPlaced(from)) {
      end++;
    }
    return end;
  }

  private boolean isPlaced(int i) {
    return cvts[i] != PoolAddress.NULL;
  }

  /** Posts the lookups of rows that may be put in place together; tells them from the others. */
  private void lookUp(int from, int to) {
    for (int i = from; i < to; i++) {
      boolean alone =
          tables[i].primary() == null
              || tables[i].hasUniqueIndex()
              || isRepeated(i, from)
              || writes.find(tables[i], lotusKeys[i], keys[i].bytes, 0, keys[i].length) >= 0;
      tickets[i - from] =
          alone ? ALONE : tables[i].hash().postLookup(channel, lotusKeys[i], probes[i - from]);
    }
    channel.flush();
    for (int i = from; i < to; i++) {
      int ticket = tickets[i - from];
      if (ticket != ALONE
          && tables[i].hash().collect(channel, ticket, lotusKeys[i], candidates) != 0) {
        tickets[i - from] = ALONE;
      }
    }
  }

  /** Whether an earlier row has the same LOTUS key, and so perhaps the same key. */
  private boolean isRepeated(int i, int from) {
    for (int earlier = from; earlier < i; earlier++) {
      if (lotusKeys[earlier] == lotusKeys[i]) {
        return true;
      }
    }
    return false;
  }

  /** Makes CVTs; of all that have memory, should it not suffice. */
  private int create(int from, int to) {
    int status = Transaction.OK;
    for (int i = from; i < to && status == Transaction.OK; i++) {
      if (tickets[i - from] != ALONE) {
        cvts[i] = allocator.allocate(tables[i].cvtClass());
        channel.prefetch(cvts[i], tables[i].cvtBytes());
        status = isPlaced(i) ? Transaction.OK : Transaction.EXHAUSTED;
      }
    }
    for (int i = from; i < to; i++) {
      if (isPlaced(i)) {
        changes.writeEmptyCvt(tables[i], lotusKeys[i], cvts[i]);
      }
    }
    return status;
  }

  private int addToHashIndexes(int from, int to) {
    if (engine.fabric().nodeCount() > 1) {
      channel.flush(); // who finds an entry must find the CVT: verbs to two nodes have no order
    }
    int left = postInserts(from, to);
    for (int round = 0; round < ROUNDS && left > 1; round++) {
      lookUpAgain(from, to);
      left = postInserts(from, to);
    }
    for (int i = from; i < to; i++) {
      if (isPlaced(i)
          && tickets[i - from] != INSERTED
          && !tables[i].hash().insert(channel, allocator, lotusKeys[i], cvts[i])) {
        return Transaction.EXHAUSTED;
      }
    }
    return Transaction.OK;
  }

  /** Puts rows into the places that were found; how many had theirs taken by another meanwhile. */
  private int postInserts(int from, int to) {
    for (int i = from; i < to; i++) {
      int ticket = tickets[i - from];
      if (isPlaced(i) && ticket != INSERTED && ticket != ALONE) {
        HashProbe probe = probes[i - from];
        ticket = tables[i].hash().postInsert(channel, lotusKeys[i], cvts[i], probe);
        tickets[i - from] = ticket >= 0 ? ticket : ALONE;
      }
    }
    channel.flush();
    int left = 0;
    for (int i = from; i < to; i++) {
      int ticket = tickets[i - from];
      if (isPlaced(i) && ticket != INSERTED && ticket != ALONE) {
        boolean done = tables[i].hash().isInserted(channel, ticket, probes[i - from]);
        tickets[i - from] = done ? INSERTED : ticket;
        left += done ? 0 : 1;
      }
    }
    return left;
  }

  /** Several rows of the batch had chosen one place: looks for others. */
  private void lookUpAgain(int from, int to) {
    for (int i = from; i < to; i++) {
      int ticket = tickets[i - from];
      if (isPlaced(i) && ticket != INSERTED && ticket != ALONE) {
        HashProbe probe = probes[i - from];
        tickets[i - from] = tables[i].hash().postLookup(channel, lotusKeys[i], probe);
      }
    }
    channel.flush();
    for (int i = from; i < to; i++) {
      int ticket = tickets[i - from];
      if (isPlaced(i)
          && ticket != INSERTED
          && ticket != ALONE
          && tables[i].hash().collect(channel, ticket, lotusKeys[i], candidates) != 0) {
        tickets[i - from] = ALONE;
      }
    }
  }

  private int addPrimary(TableStore table, int from, int to) {
    run.clear();
    for (int i = from; i < to; i++) {
      run.add(keys[i].bytes, keys[i].length, cvts[i]);
    }
    return transaction.indexWriter().addPrimary(table, run);
  }

  private int addSecondary(TableStore table, int from, int to) {
    int status = Transaction.OK;
    for (IndexStore index : table.indexes()) {
      if (status != Transaction.OK) {
        return status;
      }
      run.clear();
      for (int i = from; i < to; i++) {
        index.encoder().build(images[i], indexKey);
        run.add(indexKey.bytes, indexKey.length, cvts[i]);
      }
      status = transaction.indexWriter().addSecondary(index, run, lotusKeys, from);
    }
    return status;
  }

  /** Inserts the rows that have no CVT yet one by one. */
  private int insertRest(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isPlaced(i)) {
        int status = changes.insert(tables[i], keys[i], images[i]);
        if (status != Transaction.OK) {
          failed = i;
          return status;
        }
      }
    }
    return Transaction.OK;
  }
}
