package org.nelumbo.dm.redo.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a memory node's log, for copying it. Encoded, in big-endian order: the numbers of
 * eight bytes in this order; the number of transactions, and for each its number and timestamp; the
 * number of files, and for each its size and its name (length and UTF-8).
 *
 * @param id id of the pool
 * @param end position up to which it is on the disk; negative if the state is unavailable because a
 *     checkpoint is being written
 * @param start position at which a replay starts
 * @param capacity bytes of frames in a segment
 * @param lastStore largest number of a store that has had rows in it
 * @param committed last transaction of each coordinator
 * @param files present files of the log, without the file that makes it valid
 */
record LogState(
    long id,
    long end,
    long start,
    long capacity,
    long lastStore,
    List<Committed> committed,
    List<File> files) {
  /** A transaction in the log. */
  record Committed(long transaction, long timestamp) {}

  /** A file with its present size. */
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
