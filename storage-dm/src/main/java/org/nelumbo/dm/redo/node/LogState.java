package org.nelumbo.dm.redo.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a memory node says of its log to whoever copies it. Encoded, the numbers of eight bytes in
 * this order, big-endian; then the number of transactions, and of each its number and timestamp;
 * then the number of files, and of each its size and its name (length and UTF-8).
 *
 * @param id of the pool
 * @param end position up to which it is on the disk; less than 0: a checkpoint is being written,
 *     and nothing is said now
 * @param start position that a replay begins at
 * @param capacity bytes of frames in a file of the log
 * @param lastStore the largest number of a store that has had rows in it
 * @param committed the last transaction of each coordinator, by which it is asked for
 * @param files those that belong to it now, but for the one that says that it is whole
 */
record LogState(
    long id,
    long end,
    long start,
    long capacity,
    long lastStore,
    List<Committed> committed,
    List<File> files) {
  /** A transaction that the log has. */
  record Committed(long transaction, long timestamp) {}

  /** A file as it is now. */
  record File(String name, long size) {}

  byte[] encode() {
    int length = 7 * Long.BYTES + committed.size() * 2 * Long.BYTES;
    for (File file : files) {
      length += 2 * Long.BYTES + file.name().getBytes(StandardCharsets.UTF_8).length;
    }
    ByteBuffer to = ByteBuffer.allocate(length);
    to.putLong(id).putLong(end).putLong(start).putLong(capacity).putLong(lastStore);
    putCommitted(to, committed);
    to.putLong(files.size());
    for (File file : files) {
      byte[] name = file.name().getBytes(StandardCharsets.UTF_8);
      to.putLong(file.size()).putLong(name.length).put(name);
    }
    return to.array();
  }

  static LogState decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    long id = from.getLong();
    long end = from.getLong();
    long start = from.getLong();
    long capacity = from.getLong();
    long lastStore = from.getLong();
    List<Committed> committed = getCommitted(from);
    List<File> files = new ArrayList<>();
    for (long left = from.getLong(); left > 0; left--) {
      long size = from.getLong();
      byte[] name = new byte[(int) from.getLong()];
      from.get(name);
      files.add(new File(new String(name, StandardCharsets.UTF_8), size));
    }
    return new LogState(id, end, start, capacity, lastStore, committed, files);
  }

  static void putCommitted(ByteBuffer to, List<Committed> committed) {
    to.putLong(committed.size());
    for (Committed each : committed) {
      to.putLong(each.transaction()).putLong(each.timestamp());
    }
  }

  static List<Committed> getCommitted(ByteBuffer from) {
    List<Committed> committed = new ArrayList<>();
    for (long left = from.getLong(); left > 0; left--) {
      committed.add(new Committed(from.getLong(), from.getLong()));
    }
    return committed;
  }
}
