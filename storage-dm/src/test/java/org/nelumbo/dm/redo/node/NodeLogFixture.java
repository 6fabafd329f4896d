package org.nelumbo.dm.redo.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.TransactionId;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.redo.MemoryDisk;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoLayout;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.RedoSender;
import org.nelumbo.dm.redo.file.DatabaseFiles;
import org.nelumbo.dm.redo.file.GenerationDisk;

/** Starts logs of memory nodes, appends transactions to them, and reads their rows. */
abstract class NodeLogFixture {
  private static final int SEGMENT = 5 * RedoLayout.BLOCK;
  static final int DROPPED = 2;

  final Environment environment = new SystemEnvironment();
  final RedoEntry entry = new RedoEntry();
  DatabaseFiles files;

  /** A catalog in which store {@link #DROPPED} is dropped. */
  static final class Stores implements NodeLog.DroppedStores {
    @Override
    public IntPredicate isDropped() {
      return store -> store == DROPPED;
    }

    @Override
    public void row(
        int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted) {
      // the dropped store is fixed
    }
  }

  NodeLog start(MemoryDisk disk) throws IOException {
    RedoOptions options = RedoOptions.DEFAULT.withSegmentBytes(SEGMENT);
    GenerationDisk newest = GenerationDisk.newest(disk);
    files = DatabaseFiles.open(environment, newest, options, 7, PoolExpectation.ANY);
    NodeLog log = new NodeLog(environment, files, newest, 0, Stores::new);
    log.start();
    return log;
  }

  /** Returns the sender of a coordinator that has its own connection. */
  static RedoSender sender(RedoReceiver receiver) {
    return new RedoSender(new ReceiverLog(receiver));
  }

  void add(int store, String key, String image) {
    byte[] bytes = (key + image).getBytes(StandardCharsets.UTF_8);
    entry.add(store, bytes, 0, key.length(), bytes.length, image.isEmpty());
  }

  static Map<String, String> rows(MemoryDisk disk) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    DatabaseFiles.open(
            new SystemEnvironment(),
            GenerationDisk.newest(MemoryDisk.of(disk.copy())),
            RedoOptions.DEFAULT,
            7,
            PoolExpectation.EXISTING)
        .forEachRow(
            (store, bytes, offset, keyLength, imageLength, isDeleted) -> {
              String key =
                  store + ":" + new String(bytes, offset, keyLength, StandardCharsets.UTF_8);
              String image =
                  new String(
                      bytes, offset + keyLength, imageLength - keyLength, StandardCharsets.UTF_8);
              if (isDeleted) {
                rows.remove(key);
              } else {
                rows.put(key, image);
              }
            });
    return rows;
  }

  void commit(RedoSender sender, int number) {
    entry.begin();
    add(3, "key " + number % 100, "x".repeat(200) + number);
    sender.begin();
    sender.commit(entry, TransactionId.of(1, 1, number), number, Durability.COMMIT);
  }

  static void mark(long id, RedoReceiver... receivers) {
    byte[] mark = RedoEntry.mark(id);
    for (RedoReceiver each : receivers) {
      each.append(0, mark, 0, mark.length, false);
    }
  }

  void commitLarge(RedoSender sender, int number) {
    long transaction = TransactionId.of(1, 1, number);
    sender.begin();
    for (int part = 0; part < 3; part++) {
      entry.begin();
      add(3, "large " + part, "y".repeat(300) + number);
      sender.part(entry, transaction);
    }
    entry.begin();
    add(3, "large", "y" + number);
    sender.commit(entry, transaction, number, Durability.COMMIT);
  }
}
