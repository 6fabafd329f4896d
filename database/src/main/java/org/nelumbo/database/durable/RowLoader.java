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
 * Writes the rows of a subset of the keys into a pool, in the order in which they arrive; each
 * loader has its own subset. Transactions contain many rows, which share their round trips:
 * existing rows are read together, and new ones are inserted together. If a transaction contains
 * several images of a row, only the last one is written. A transaction that loses a conflict with
 * another loader is retried.
 */
final class RowLoader implements RowVisitor, AutoCloseable {
  private static final int BATCH = 128;

  /** Maximum size of the images of a batch: they are copied more than once on their way. */
  private static final int BATCH_BYTES = 1 << 20;

  private final Engine engine;
  private final Map<Integer, TableStore> stores;
  private final int own;
  private final int loaders;
  private final CancellationToken stop;
  private final Coordinator coordinator;

  // Rows of the next transaction.
  private final TableStore[] tables = new TableStore[BATCH];
  private final byte[][] images = new byte[BATCH][];
  private final int[] offsets = new int[BATCH];
  private final int[] keyLengths = new int[BATCH];
  private final int[] imageLengths = new int[BATCH];
  private final boolean[] deletions = new boolean[BATCH];
  private final long[] lotusKeys = new long[BATCH];
  private int count;
  private int bytesOfImages;

  /** Rows without a later image in the batch, in order: the keys of {@link #present}. */
  private final int[] newest = new int[BATCH];

  private final PointBatch present;
  private final InsertBatch absent;
  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer image = new RowBuffer();

  /**
   * Creates one of several loaders.
   *
   * @param stores stores by number; rows of other stores are skipped
   * @param own number of this loader
   * @param stop set to stop loading
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
      coordinator
          .transaction()
          .setDurability(Durability.NONE); // the transaction that publishes the stores waits
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

  /** Uses the upper bits of the hash to spread adjacent keys. */
  private boolean isOwn(long lotusKey) {
    return Math.floorMod(lotusKey >>> 32, loaders) == own;
  }

  /** Writes the pending rows. */
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
            "the rows of the database do not fit into its memory: open it with more, for"
                + " example memory=16g; its files are unchanged");
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
