package org.nelumbo.dm.replication.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.FragileNodes;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/**
 * Tests the counters of backups when the view changes. Logical node 0 has its copies on nodes 0, 1
 * and 2.
 */
class CounterRepairTest {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 4096 + NODES * (256L << 10);
  private static final int CLOCK = SuperblockLayout.CLOCK_OFFSET;
  private static final int BUMP = SuperblockLayout.BUMP_OFFSET;

  private final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
  private final Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
  private final NodeConnection[] connections = new NodeConnection[NODES];

  @AfterEach
  void close() {
    nodes.close();
  }

  private View view(long number, int... live) {
    NodeConnection[] some = new NodeConnection[NODES];
    for (int node : live) {
      if (connections[node] == null) {
        connections[node] = nodes.connectors().get(node).connect();
      }
      some[node] = connections[node];
    }
    return new View(number, placement, some, new ResyncProgress[NODES]);
  }

  private void put(int logical, int copy, int counter, long value) {
    try (Channel channel = nodes.inspect(placement.node(logical, copy))) {
      channel.writeLong(PoolAddress.of(0, placement.offset(logical, copy, counter)), value);
      channel.flush();
    }
  }

  private long get(int logical, int copy, int counter) {
    try (Channel channel = nodes.inspect(placement.node(logical, copy))) {
      channel.read(PoolAddress.of(0, placement.offset(logical, copy, counter)), 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private void repair(View before, View after) {
    try (IntentTable table = new IntentTable(new SystemEnvironment(), after)) {
      new CounterRepair(after, table).run(before);
    }
  }

  /** A compute node has failed after its value had reached one of two backups. */
  @Test
  void shouldBringBackupsToANewPrimary() {
    put(0, 0, CLOCK, 70);
    put(0, 1, CLOCK, 90);
    put(0, 2, CLOCK, 70);
    View before = view(1, 0, 1, 2);
    nodes.kill(0);
    repair(before, view(2, 1, 2));
    assertEquals(90, get(0, 1, CLOCK));
    assertEquals(90, get(0, 2, CLOCK));
  }

  /** The values of the backup may have been returned to callers. */
  @Test
  void shouldKeepBackupAheadOfPrimary() {
    put(0, 1, CLOCK, 70);
    put(0, 2, CLOCK, 90);
    View before = view(1, 0, 1, 2);
    nodes.kill(0);
    repair(before, view(2, 1, 2));
    assertEquals(70, get(0, 1, CLOCK));
    assertEquals(90, get(0, 2, CLOCK));
  }

  /**
   * A compute node that has entered in the meantime has drawn values without writing to the node.
   */
  @Test
  void shouldRaiseCountersOfNodeBecomingLive() {
    put(0, 0, CLOCK, 90);
    put(0, 1, CLOCK, 95);
    put(0, 2, CLOCK, 60);
    put(1, 0, BUMP, 40_000); // of logical node 1, on node 1
    put(1, 1, BUMP, 30_000); // on node 2
    repair(view(1, 0, 1), view(2, 0, 1, 2));
    assertEquals(90, get(0, 2, CLOCK));
    assertEquals(40_000, get(1, 1, BUMP));
  }

  /** The content of the filled node may be later than that of the remaining copies. */
  @Test
  void shouldNotLowerCountersOfNodeBecomingLive() {
    put(0, 0, CLOCK, 90);
    put(0, 2, CLOCK, 95);
    repair(view(1, 0, 1), view(2, 0, 1, 2));
    assertEquals(95, get(0, 2, CLOCK));
  }

  /** In one change, a node becomes live and the former primary is excluded. */
  @Test
  void shouldRaiseCountersToRemainingCopy() {
    put(0, 0, CLOCK, 90);
    put(0, 1, CLOCK, 95);
    put(0, 2, CLOCK, 60);
    View before = view(1, 0, 1);
    nodes.kill(0);
    repair(before, view(2, 1, 2));
    assertEquals(95, get(0, 2, CLOCK));
  }

  /** Node 0 becomes live and primary: its counters must not be behind values drawn elsewhere. */
  @Test
  void shouldRaiseCountersOfNewPrimary() {
    put(0, 0, CLOCK, 60);
    put(0, 1, CLOCK, 90);
    put(0, 2, CLOCK, 92);
    repair(view(1, 1, 2), view(2, 0, 1, 2));
    assertEquals(90, get(0, 0, CLOCK));
    assertEquals(92, get(0, 2, CLOCK));
  }
}
