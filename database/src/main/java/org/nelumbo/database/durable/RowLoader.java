package org.nelumbo.database.durable;

import java.util.Arrays;
import java.util.Map;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.file.RowVisitor;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.InsertBatch;
import org.nelumbo.executor.txn.PointBatch;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;

/**
 * Writes the rows of some keys into a pool, in the order in which they come; each loader has other
 * keys. Transactions have many rows, which share their round trips: those that are there are read
 * together, and the new ones are inserted together. Of several images of a row in one transaction
 * the last one counts, and the others are not written. A transaction that loses against another
 * loader's is run again.
 */
final class RowLoader implements RowVisitor, AutoCloseable {
  private static final int BATCH = 128;

  /** Images of so many bytes are enough: they are copied more than once on their way. */
  private static final int BATCH_BYTES = 1 << 20;

  private final Engine engine;
  private final Map<Integer, TableStore> stores;
  private final int own;
  private final int loaders;
  private final CancellationToken stop;
  private final Coordinator coordinator;

  // The rows of the transaction that comes next.
  private final TableStore[] tables = new TableStore[BATCH];
  private final byte[][] images = new byte[BATCH][];
  private final int[] offsets = new int[BATCH];
  private final int[] keyLengths = new int[BATCH];
  private final int[] imageLengths = new int[BATCH];
  private final boolean[] deletions = new boolean[BATCH];
  private final long[] lotusKeys = new long[BATCH];
  private int count;
  private int bytesOfImages;

  /** Rows that have no later image among these, in their order: the keys of {@link #present}. */
  private final int[] newest = new int[BATCH];

  private final PointBatch present;
  private final InsertBatch absent;
  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer image = new RowBuffer();

  /**
   * One of several loaders.
   *
   * @param stores by their numbers; rows of others are left out
   * @param own number of this loader
   * @param stop ends the work when it is set
   */
  RowLoader(
      Engine engine,
      Map<Integer, TableStore> stores,
      int own,
      int loaders,
      CancellationToken stop) {
    this.engine = engine;
    this.stores = stores;
    this.own = own;
    this.loaders = loaders;
    this.stop = stop;
    this.coordinator = engine.openCoordinator();
    this.present = coordinator.transaction().newPointBatch();
    this.absent = coordinator.transaction().newInsertBatch();
    if (engine.isDurable()) {
      coordinator.transaction().setDurability(Durability.NONE); // who names the stores waits
    }
  }

  @Override
  public void row(
      int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted) {
    TableStore table = stores.get(store);
    if (table == null) {
      return;
    }
    long lotusKey = table.layout().lotusKey(bytes, offset, keyLength);
    if (!isOwn(lotusKey)) {
      return;
    }
    tables[count] = table;
    lotusKeys[count] = lotusKey;
    images[count] = bytes;
    offsets[count] = offset;
    keyLengths[count] = keyLength;
    imageLengths[count] = imageLength;
    deletions[count] = isDeleted;
    count++;
    bytesOfImages += imageLength;
    if (count == BATCH || bytesOfImages >= BATCH_BYTES) {
      flush();
    }
  }

  /** By the upper bits of the hash, so that neighbours are spread. */
  private boolean isOwn(long lotusKey) {
    return Math.floorMod(lotusKey >>> 32, loaders) == own;
  }

  /** Writes the rows that have come. */
  void flush() {
    for (int attempt = 0; count > 0; attempt++) {
      if (stop.isSet()) {
        throw stop.failure();
      }
      Outcome status = write();
      if (status == Outcome.OK) {
        count = 0;
        bytesOfImages = 0;
      } else if (status == Outcome.CONFLICT) {
        engine.environment().backoff(attempt);
      } else if (status == Outcome.EXHAUSTED) {
        throw new NelumboException(
            ErrorCode.POOL_FULL,
            "the rows of the database do not fit into its memory: open it with more, for example"
                + " memory=16g; the files they come from are as they were");
      } else {
        throw coordinator.transaction().failure(status);
      }
    }
  }

  private Outcome write() {
    Transaction transaction = coordinator.transaction();
    transaction.begin(Isolation.SERIALIZABLE, false);
    try {
      addNewest();
      Outcome status = present.execute(LockMode.WRITE);
      if (status == Outcome.OK) {
        status = changePresent();
      }
      if (status == Outcome.OK) {
        status = absent.execute();
      }
      return status == Outcome.OK ? transaction.commit() : status;
    } finally {
      transaction.abort();
    }
  }

  private void addNewest() {
    present.clear();
    for (int i = 0; i < count; i++) {
      if (!isReplaced(i)) {
        showKey(i);
        newest[present.add(tables[i], key)] = i;
      }
    }
  }

  /** Whether a later one of these is of the same row. */
  private boolean isReplaced(int i) {
    int keyEnd = offsets[i] + keyLengths[i];
    for (int j = i + 1; j < count; j++) {
      if (lotusKeys[j] == lotusKeys[i]
          && tables[j] == tables[i]
          && Arrays.equals(
              images[j], offsets[j], offsets[j] + keyLengths[j], images[i], offsets[i], keyEnd)) {
        return true;
      }
    }
    return false;
  }

  private void showKey(int i) {
    key.clear();
    key.append(images[i], offsets[i], keyLengths[i]);
    tables[i].layout().finishKey(key);
  }

  /** Replaces and deletes the rows that are there; the others are gathered to be inserted. */
  private Outcome changePresent() {
    absent.clear();
    Outcome status = Outcome.OK;
    for (int k = 0; k < present.size() && status == Outcome.OK; k++) {
      int i = newest[k];
      image.wrap(images[i], offsets[i], imageLengths[i]);
      if (present.found(k)) {
        status = deletions[i] ? present.delete(k) : present.update(k, image);
      } else if (!deletions[i]) {
        showKey(i);
        absent.add(tables[i], key, image);
      }
    }
    return status;
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
