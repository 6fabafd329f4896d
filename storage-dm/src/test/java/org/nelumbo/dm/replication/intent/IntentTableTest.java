package org.nelumbo.dm.replication.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.FragileNodes;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/**
 * Tests the tables of two memory nodes, and that of a third one that becomes live and is the first
 * of all.
 */
class IntentTableTest {
  private static final int NODES = 3;
  private static final int FILLED = 0;
  private static final long NODE_BYTES = 4096 + NODES * (256L << 10);
  private static final long SELF = 7;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
  private final NodeConnection[] connections = new NodeConnection[NODES];

  @AfterEach
  void close() {
    nodes.close();
  }

  private View view(long number, int first) {
    NodeConnection[] live = new NodeConnection[NODES];
    for (int node = first; node < NODES; node++) {
      if (connections[node] == null) {
        connections[node] = nodes.connectors().get(node).connect();
      }
      live[node] = connections[node];
    }
    Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
    return new View(number, placement, live, new ResyncProgress[NODES]);
  }

  private FlushIntents enter(View view) {
    NodeMemory[] memories = new NodeMemory[NODES];
    for (int node = 0; node < NODES; node++) {
      memories[node] = LocalMemory.reserve(64 << 10);
    }
    try (LocalFabric counters = new LocalFabric(memories);
        Channel pool = counters.openChannel(Long.BYTES);
        IntentTable table = new IntentTable(environment, view)) {
      for (int node = 0; node < NODES; node++) {
        pool.writeLong(PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), 64 << 10);
      }
      pool.flush();
      FlushIntents own = table.enter(SELF, table.take(SELF), pool);
      table.reserve(own, FILLED, pool);
      return own;
    }
  }

  private void assertSaid(View view, int node, long left, long repeated) {
    try (IntentTable table = new IntentTable(environment, view, node)) {
      assertEquals(
          List.of(new IntentTable.Sharer(SELF, left, repeated, 0)),
          table.sharers(),
          "node=" + node);
    }
  }

  /**
   * A joining compute node reads the table of the node that becomes live; all other members read
   * the same table as before.
   */
  @Test
  void shouldRecordReachedViewOnAllNodes() {
    FlushIntents own = enter(view(1, FILLED + 1));
    View after = view(2, FILLED);
    try (IntentTable table = new IntentTable(environment, after, FILLED + 1)) {
      table.extend(own, FILLED);
      assertSaid(after, FILLED, 2, 0);
      table.noteLeft(own);
      for (int node = FILLED + 1; node < NODES; node++) {
        assertSaid(after, node, 2, 1);
      }
      table.noteRepeated(own);
    }
    for (int node = 0; node < NODES; node++) {
      assertSaid(after, node, 2, 2);
    }
  }
}
