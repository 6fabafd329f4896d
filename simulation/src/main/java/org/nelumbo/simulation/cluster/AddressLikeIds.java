package org.nelumbo.simulation.cluster;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowLayout;

/**
 * Primary keys of a table whose LOTUS keys could be addresses of the pool: one in 65,536. They
 * stand for the ids 0, 1, 2 and so on of a workload, in the same order. Thread-safe.
 */
final class AddressLikeIds {
  /** Ids from here on are used unchanged, as the bounds of ranges are. */
  private static final long IDS_MAX = 1 << 10;

  /** Instances by schema id, kept because the search for the keys takes a while. */
  private static final Map<Integer, AddressLikeIds> BY_TABLE = new ConcurrentHashMap<>();

  private final RowLayout layout;
  private final KeyBuffer buffer = new KeyBuffer();

  /** The keys found so far, in ascending order, by id. */
  private long[] keys = {};

  private AddressLikeIds(RowLayout layout) {
    this.layout = layout;
  }

  static AddressLikeIds of(RowLayout layout) {
    return BY_TABLE.computeIfAbsent(layout.schema().id(), _ -> new AddressLikeIds(layout));
  }

  /** Returns the primary key that stands for an id. */
  synchronized long key(long id) {
    if (id < 0 || id >= IDS_MAX) {
      return id;
    }
    while (id >= keys.length) {
      add();
    }
    return keys[(int) id];
  }

  private void add() {
    long key = keys.length == 0 ? 0 : keys[keys.length - 1] + 1;
    while (lotusKey(key) >>> PoolAddress.BITS != 0) {
      key++;
    }
    keys = Arrays.copyOf(keys, keys.length + 1);
    keys[keys.length - 1] = key;
  }

  private long lotusKey(long key) {
    buffer.clear();
    layout.keyFormat().appendLong(buffer, 0, key);
    layout.finishKey(buffer);
    return buffer.lotusKey;
  }

  /** Returns the id for which a primary key stands. */
  synchronized long id(long key) {
    int id = Arrays.binarySearch(keys, key);
    return id >= 0 ? id : key;
  }
}
