package org.nelumbo.simulation.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.simulation.scenario.Scenario;

class CollidingIdsTest {
  private static final int BITS = 8;

  private final ClusterOptions options;
  private final RowLayout layout;

  CollidingIdsTest() throws IOException {
    options = Scenario.load("growth", Map.of()).cluster();
    layout = new RowLayout(RowTable.schema(options));
  }

  private int suffix(long id) {
    KeyBuffer key = new KeyBuffer();
    layout.keyFormat().appendLong(key, 0, id);
    layout.finishKey(key);
    return HashIndex.suffix(key.lotusKey, BITS);
  }

  @Test
  void shouldFindTheNextIdOfTheCrowdOnTheWay() {
    CollidingIds ids = new CollidingIds(options, BITS);
    for (long first = 0; first < 100; first++) {
      long id = ids.from(first, 3);
      assertEquals(first % 3, id % 3);
      assertEquals(0, suffix(id));
      for (long passed = first; passed < id; passed += 3) {
        assertTrue(suffix(passed) != 0, "passed over " + passed);
      }
    }
  }

  @Test
  void shouldReturnFirstIdForZeroBits() {
    assertEquals(77, new CollidingIds(options, 0).from(77, 5));
  }
}
