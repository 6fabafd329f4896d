package org.nelumbo.dm.replication.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the locations of copies, and which nodes take over the work of a failed memory node. */
class PlacementTest {
  private static Placement placement(String size) {
    int[] of = Arrays.stream(size.split(":", -1)).mapToInt(Integer::parseInt).toArray();
    return Placement.of(of[0], of[1], of[2], 1L << 30);
  }

  @ParameterizedTest
  @CsvSource({
    "2:2:1", "2:2:3", "3:1:1", "3:2:2", "3:3:1", "3:3:2", "4:3:3", "5:3:1", "5:3:2", "5:3:4",
    "8:3:7", "8:5:7", "64:3:4"
  })
  void shouldPlaceEachCopyOnOwnNodeAndSlot(String size) {
    Placement placement = placement(size);
    Set<Long> used = new HashSet<>();
    for (int logical = 0; logical < placement.logicals(); logical++) {
      Set<Integer> holders = new HashSet<>(placement.nodes(logical));
      assertEquals(placement.copies(), holders.size(), "logical=" + logical);
      assertEquals(logical % placement.nodes(), placement.node(logical, 0));
      for (int copy = 0; copy < placement.copies(); copy++) {
        int node = placement.node(logical, copy);
        int slot = placement.slot(logical, copy);
        assertTrue(used.add((long) node << 32 | slot), "logical=" + logical + " copy=" + copy);
        assertTrue(slot < placement.slots());
        assertEquals(logical, placement.logical(node, slot));
        assertEquals(copy, placement.copy(node, logical));
        assertTrue(placement.offset(logical, copy, placement.slotBytes()) <= placement.bytes());
      }
    }
    assertEquals(placement.nodes() * placement.slots(), used.size(), "slots that are used");
    assertTrue(placement.bytes() <= 1L << 30);
  }

  /** The locations of copies in pools of format 1. */
  @ParameterizedTest
  @CsvSource({"3:3:1", "5:3:1", "8:2:1"})
  void shouldBeARingWithOneVirtualNode(String size) {
    Placement placement = placement(size);
    for (int logical = 0; logical < placement.logicals(); logical++) {
      for (int copy = 0; copy < placement.copies(); copy++) {
        assertEquals((logical + copy) % placement.nodes(), placement.node(logical, copy));
        assertEquals(copy, placement.slot(logical, copy));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"3:3:2", "3:2:2", "4:3:3", "5:3:4", "8:3:7"})
  void shouldSpreadLoadOfFailedNodeEvenly(String size) {
    Placement placement = placement(size);
    for (int dead = 0; dead < placement.nodes(); dead++) {
      int[] more = new int[placement.nodes()];
      for (int logical = 0; logical < placement.logicals(); logical++) {
        if (placement.node(logical, 0) == dead) {
          more[placement.node(logical, 1)]++;
        }
      }
      for (int node = 0; node < placement.nodes(); node++) {
        assertEquals(node == dead ? 0 : 1, more[node], "node=" + node + " dead=" + dead);
      }
    }
  }
}
