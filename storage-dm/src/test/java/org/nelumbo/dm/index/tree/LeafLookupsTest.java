package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.PoolAddress;

class LeafLookupsTest {
  private static final int KEYS = 500;

  private final TreePool pool = new TreePool(16 << 20);
  private final CountingChannel channel = pool.channel;
  private final OrderedIndex index = pool.create();
  private final Map<Long, byte[]> images = new HashMap<>();
  private final LeafLookups lookups = new LeafLookups(8, (_, leaf) -> images.get(leaf));

  @BeforeEach
  void fill() {
    for (int key = 0; key < KEYS; key++) {
      pool.insert(index, TreePool.key(key), 16L * (key + 1));
    }
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private long leaf(long key) {
    return index.leaf(channel, TreePool.key(key), 8);
  }

  private void know(long leaf) {
    channel.read(leaf, 0, TreeNodeLayout.LENGTH);
    channel.flush();
    byte[] image = new byte[TreeNodeLayout.LENGTH];
    channel.staging().asByteBuffer().get(0, image);
    images.put(leaf, image);
  }

  private long roundTrips() {
    return channel.counters(CountingChannel.UNLABELLED).roundTrips();
  }

  /** Keys of two leaves in turn: the leaf that is loaded changes with each of them. */
  @Test
  void shouldTakeKeysOfKnownLeavesInTurnWithoutARead() {
    know(leaf(0));
    know(leaf(KEYS - 1));
    assertNotEquals(leaf(0), leaf(KEYS - 1));
    long before = roundTrips();
    long[] keys = {0, KEYS - 1, 1, KEYS - 2, 2};
    int[] tickets = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      tickets[i] = lookups.post(channel, index, TreePool.key(keys[i]), 8);
    }
    channel.flush();
    for (int i = 0; i < keys.length; i++) {
      assertEquals(
          16 * (keys[i] + 1), lookups.take(channel, index, tickets[i], TreePool.key(keys[i]), 8));
    }
    assertEquals(before, roundTrips());
  }

  @Test
  void shouldReadLeavesThatAreNotKnown() {
    know(leaf(0));
    long before = roundTrips();
    assertEquals(16, lookups.get(channel, index, TreePool.key(0), 8));
    assertEquals(before, roundTrips());
    assertEquals(16L * KEYS, lookups.get(channel, index, TreePool.key(KEYS - 1), 8));
    assertEquals(PoolAddress.NULL, lookups.get(channel, index, TreePool.key(KEYS + 1), 8));
    assertEquals(before + 2, roundTrips());
  }
}
