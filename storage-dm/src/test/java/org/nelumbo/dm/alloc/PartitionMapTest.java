package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PartitionMapTest {
  /**
   * Maximum deviation, in standard deviations of a fair draw, of the number of shards of a node
   * from the mean, for up to 16 nodes.
   */
  private static final double DEVIATIONS_MAX = 4.5;

  @Property(seed = "1", tries = 15, generation = net.jqwik.api.GenerationMode.EXHAUSTIVE)
  void shouldSpreadShardsEvenlyOverNodes(@ForAll @IntRange(min = 2, max = 16) int nodes) {
    PartitionMap map = new PartitionMap(nodes);
    int[] shards = new int[nodes];
    for (int shard = 0; shard < PartitionMap.SHARDS; shard++) {
      shards[map.node(shard)]++;
    }
    double mean = (double) PartitionMap.SHARDS / nodes;
    double deviation = Math.sqrt(mean * (1 - 1.0 / nodes));
    for (int node = 0; node < nodes; node++) {
      assertEquals(mean, shards[node], DEVIATIONS_MAX * deviation, "node=" + node);
      if (nodes <= 8) {
        assertEquals(1, shards[node] / mean, 0.05, "within five percent node=" + node);
      }
    }
  }

  @Property(seed = "1", tries = 100)
  void shouldMoveOnlyShardsOfRemovedNode(
      @ForAll @IntRange(min = 2, max = 255) int nodes,
      @ForAll @IntRange(min = 0, max = 4095) int shard) {
    PartitionMap all = new PartitionMap(nodes);
    PartitionMap without = new PartitionMap(nodes - 1);
    int gone = nodes - 1;
    int before = all.node(shard);
    int now = without.node(shard);
    assertEquals(before == gone ? all.next(shard, gone) : before, now);
    for (int node = now; node >= 0; node = without.next(shard, node)) {
      int next = all.next(shard, node);
      assertEquals(next == gone ? all.next(shard, gone) : next, without.next(shard, node));
    }
  }

  @Property(seed = "1", tries = 100)
  void shouldNameEachNodeOnceBeginningWithTheFirst(
      @ForAll @IntRange(min = 1, max = 256) int nodes,
      @ForAll @IntRange(min = 0, max = 4095) int shard) {
    PartitionMap map = new PartitionMap(nodes);
    BitSet seen = new BitSet();
    for (int node = map.node(shard); node >= 0; node = map.next(shard, node)) {
      assertTrue(node < nodes && !seen.get(node), "node=" + node);
      seen.set(node);
    }
    assertEquals(nodes, seen.cardinality());
  }

  @Test
  void shouldSpreadSecondChoicesOverOtherNodes() {
    PartitionMap map = new PartitionMap(5);
    int[] seconds = new int[5];
    int shards = 0;
    for (int shard = 0; shard < PartitionMap.SHARDS; shard++) {
      if (map.node(shard) == 2) {
        seconds[map.next(shard, 2)]++;
        shards++;
      }
    }
    for (int node = 0; node < 5; node++) {
      assertEquals(node == 2 ? 0 : 0.25, (double) seconds[node] / shards, 0.05, "node=" + node);
    }
  }

  @Test
  void shouldPutTheFirstValuesOnDifferentNodes() {
    for (int nodes = 2; nodes <= 8; nodes++) {
      PartitionMap map = new PartitionMap(nodes);
      BitSet seen = new BitSet();
      for (int shard = 1; shard <= nodes; shard++) {
        seen.set(map.node(shard));
      }
      assertEquals(nodes, seen.cardinality(), "nodes=" + nodes);
    }
  }

  @Property(seed = "1", tries = 100)
  void shouldListNodesOfPhysicalNodeConsecutively(
      @ForAll @IntRange(min = 1, max = 16) int physicalNodes,
      @ForAll @IntRange(min = 1, max = 16) int each,
      @ForAll @IntRange(min = 0, max = 4095) int shard) {
    PartitionMap map = new PartitionMap(physicalNodes, physicalNodes * each);
    PartitionMap ofPhysical = new PartitionMap(physicalNodes);
    BitSet seen = new BitSet();
    int physical = ofPhysical.node(shard);
    int node = map.node(shard);
    while (node != PartitionMap.NONE) {
      for (int i = 0; i < each; i++) {
        assertEquals(physical, node % physicalNodes);
        assertTrue(node < physicalNodes * each && !seen.get(node), "node=" + node);
        seen.set(node);
        node = map.next(shard, node);
      }
      physical = ofPhysical.next(shard, physical);
    }
    assertEquals(physicalNodes * each, seen.cardinality());
  }

  @Test
  void shouldSpreadTheShardsOfAPhysicalNodeOverItsLogicalNodes() {
    PartitionMap map = new PartitionMap(5, 20);
    int[] shards = new int[20];
    for (int shard = 0; shard < PartitionMap.SHARDS; shard++) {
      shards[map.node(shard)]++;
    }
    for (int node = 0; node < 20; node++) {
      assertEquals(1, shards[node] / (PartitionMap.SHARDS / 20.0), 0.25, "node=" + node);
    }
  }

  @Test
  void shouldDeriveShardFromLowBitsOfLotusKey() {
    assertEquals(0xABC, PartitionMap.shard(0x8123_4567_89AB_CABCL));
    assertEquals(4095, PartitionMap.shard(-1));
  }

  @Test
  void shouldRejectInvalidNodeCounts() {
    assertThrows(IllegalArgumentException.class, () -> new PartitionMap(0));
    assertThrows(IllegalArgumentException.class, () -> new PartitionMap(257));
    assertThrows(IllegalArgumentException.class, () -> new PartitionMap(3, 10));
    assertThrows(IllegalArgumentException.class, () -> new PartitionMap(64, 320));
  }
}
