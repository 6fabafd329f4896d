package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.ReplicationStatus;
import org.nelumbo.dm.pool.ReplicationStatus.State;
import org.nelumbo.dm.replication.view.NodeReport;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.PoolMembership;
import org.nelumbo.dm.superblock.PoolFormat;

/** Tests the state of the copies as reported by compute node and memory nodes. */
@Timeout(120)
class ReplicationStatusTest {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 4096 + 3 * (256 << 10);
  private static final int WINDOW = 4 << 10;

  /** Bytes in use of each logical node. */
  private static final long USED = 10 * WINDOW + 512;

  private final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
  private ReplicatedFabric fabric;

  @BeforeEach
  void open() {
    fabric =
        nodes.open(
            new SystemEnvironment(),
            ReplicatedFabric.Options.DEFAULT.withReconnectNanos(1_000_000).withWindowBytes(WINDOW));
    PoolFormat.format(fabric, 1);
    try (Channel channel = fabric.openChannel(64)) {
      for (int node = 0; node < NODES; node++) {
        channel.writeLong(PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), USED);
      }
      channel.flush();
    }
  }

  @AfterEach
  void close() {
    fabric.close();
    nodes.close();
  }

  private ReplicationStatus await(Predicate<ReplicationStatus> wanted) {
    ReplicationStatus picture = fabric.replicationStatus();
    while (!wanted.test(picture)) {
      LockSupport.parkNanos(100_000);
      picture = fabric.replicationStatus();
    }
    return picture;
  }

  private static Predicate<ReplicationStatus> isState(int node, State state) {
    return picture -> picture.nodes().get(node).state() == state;
  }

  private PoolMembership part(int node) {
    try (Channel channel = nodes.inspect(node)) {
      return NodeReport.part(channel);
    }
  }

  @Test
  void shouldReportAllNodesLive() {
    ReplicationStatus picture = new FailStopFabric(fabric).replicationStatus();
    assertEquals(3, picture.copies());
    assertEquals(fabric.view(), picture.view());
    assertEquals(NODES, picture.count(State.LIVE));
    assertEquals(
        new ReplicationStatus.Node("1 (fragile)", State.LIVE, "", NODE_BYTES, 0, 0, 0, 0, 0, 0, 0),
        picture.nodes().get(1));
    assertEquals(
        new PoolMembership(PoolMembership.Role.LIVE, 3, picture.view(), NODES, NODES, 0, 0),
        part(1));
  }

  @Test
  void shouldReportCopyLocations() {
    ReplicationStatus picture = fabric.replicationStatus();
    Placement placement = Placement.of(NODES, picture.copies(), 1, NODE_BYTES);
    for (int logical = 0; logical < NODES; logical++) {
      for (int copy = 0; copy < picture.copies(); copy++) {
        assertEquals(placement.node(logical, copy), picture.holder(logical, copy));
      }
    }
  }

  @Test
  void shouldReportExclusionReasonAndFilledBytes() {
    nodes.kill(1);
    ReplicationStatus out = await(isState(1, State.OUT));
    String why = out.nodes().get(1).why();
    assertTrue(why.contains("dead"), why);
    assertEquals(2, part(0).liveNodes());
    assertEquals(0, out.filledBytes());
    nodes.restartEmpty(1);
    ReplicationStatus live = await(picture -> picture.filledNodes() == 1);
    assertEquals(NODES, live.count(State.LIVE));
    assertEquals("", live.nodes().get(1).why());
    ReplicationStatus.Node filled = live.nodes().get(1);
    assertEquals(3 * USED, filled.copiedBytes() + filled.equalBytes());
    assertEquals(3 * WINDOW, filled.copiedBytes(), "the rest is zero everywhere");
    assertEquals(filled.copiedBytes(), live.filledBytes());
    assertTrue(live.view() > out.view());
    assertEquals(
        new PoolMembership(PoolMembership.Role.LIVE, 3, live.view(), NODES, NODES, 0, 0), part(1));
  }

  @Test
  void shouldReportFillProgress() {
    nodes.kill(1);
    await(isState(1, State.OUT));
    nodes.restartEmpty(1, 40);
    await(picture -> picture.filledBytes() > 0);
    await(isState(1, State.OUT));
    PoolMembership part = part(1);
    assertEquals(PoolMembership.Role.FILLING, part.role());
    assertEquals(3 * USED, part.fillBytes());
    ReplicationStatus.Node node = fabric.replicationStatus().nodes().get(1);
    long done = node.copiedBytes() + node.equalBytes();
    assertTrue(Math.abs(done - part.filledBytes()) <= 16 * WINDOW, part + " " + node);
    try (Channel channel = nodes.inspect(1)) {
      String text = NodeReport.describe(channel);
      assertTrue(text.contains(" filled=" + part.filledBytes() + " of=" + 3 * USED), text);
    }
    nodes.restart(1);
    await(isState(1, State.LIVE));
  }

  @Test
  void shouldReportNoMembershipOfEmptyNode() {
    nodes.kill(2);
    await(isState(2, State.OUT));
    try (FragileNodes empty = new FragileNodes(1, NODE_BYTES);
        Channel channel = empty.inspect(0)) {
      assertEquals(PoolMembership.EMPTY, NodeReport.part(channel));
      assertEquals("", NodeReport.describe(channel));
      channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.MAGIC_OFFSET), SuperblockLayout.MAGIC);
      channel.flush();
      assertEquals(PoolMembership.Role.SINGLE, NodeReport.part(channel).role());
    }
  }

  @Test
  void shouldReportLostPool() {
    for (int node = 0; node < NODES; node++) {
      nodes.kill(node);
    }
    assertEquals(3, await(ReplicationStatus::lost).nodes().size());
  }
}
