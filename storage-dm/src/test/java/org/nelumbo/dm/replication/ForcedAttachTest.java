package org.nelumbo.dm.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.view.ViewRecord;

/** Tests forced attaches, where too few memory nodes have kept their memory. */
@Timeout(120)
class ForcedAttachTest {
  private static final int NODES = 3;
  private static final long NODE_BYTES = 4096 + 3 * (256 << 10);
  private static final long ALL = 0b111;
  private static final long WORD = PoolAddress.of(1, 8192);
  private static final WantedPool FORCED = new WantedPool(0, 0, true, PoolExpectation.ANY);

  private static final ReplicatedFabric.Options OPTIONS =
      ReplicatedFabric.Options.DEFAULT.withReconnectNanos(1_000_000).withWindowBytes(16 << 10);

  private final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES, 0);
  private final List<ReplicatedFabric> opened = new ArrayList<>();

  private ReplicatedFabric open(ReplicatedFabric.Options options) {
    ReplicatedFabric fabric = nodes.open(new SystemEnvironment(), options);
    opened.add(fabric);
    return fabric;
  }

  @AfterEach
  void close() {
    opened.forEach(ReplicatedFabric::close);
    nodes.close();
  }

  private static void put(ReplicatedFabric fabric, long value) {
    try (Channel channel = fabric.openChannel(64)) {
      channel.writeLong(WORD, value);
      channel.flush();
    }
  }

  private static long get(ReplicatedFabric fabric) {
    try (Channel channel = fabric.openChannel(64)) {
      channel.read(WORD, 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private static void await(ReplicatedFabric fabric, long live) {
    while (fabric.liveNodes() != live) {
      LockSupport.parkNanos(100_000);
    }
  }

  private void assertRefused(ReplicatedFabric.Options options, String said) {
    PoolOpenException e = assertThrows(PoolOpenException.class, () -> open(options));
    assertTrue(e.getMessage().contains(said), e.getMessage());
  }

  @Test
  void shouldContinueWithOnlyRemainingNode() {
    ReplicatedFabric first = open(OPTIONS);
    put(first, 42);
    long view = first.view();
    first.close();
    nodes.kill(0);
    nodes.kill(2);
    assertRefused(OPTIONS, "recover=force continues with nodes 1, and loses the commits");
    ReplicatedFabric second = open(OPTIONS.withWanted(FORCED));
    assertEquals(42, get(second));
    assertEquals(0b010, second.liveNodes());
    assertTrue(second.view() > view);
    nodes.restartEmpty(0);
    nodes.restartEmpty(2);
    await(second, ALL);
    nodes.kill(1);
    assertEquals(42, get(second));
  }

  @Test
  void shouldAttachToLatestAvailableState() {
    ReplicatedFabric first = open(OPTIONS);
    put(first, 1);
    nodes.kill(0);
    put(first, 2);
    assertEquals(0b110, first.liveNodes());
    first.close();
    nodes.kill(2);
    nodes.restart(0);
    ReplicatedFabric second = open(OPTIONS);
    assertEquals(2, get(second));
    await(second, 0b011);
    nodes.restart(2);
    await(second, ALL);
  }

  @Test
  void shouldDiscardWritesThatOnlyMissingNodesHad() {
    ReplicatedFabric first = open(OPTIONS);
    put(first, 1);
    nodes.kill(0);
    put(first, 2);
    first.close();
    nodes.kill(1);
    nodes.kill(2);
    nodes.restart(0);
    assertRefused(OPTIONS, "recover=force continues with nodes 0");
    ReplicatedFabric second = open(OPTIONS.withWanted(FORCED));
    assertEquals(1, get(second), "as it was when node 0 was left out");
    nodes.restart(1);
    nodes.restart(2);
    await(second, ALL);
    assertEquals(1, get(second), "who comes back with the lost state is filled with this one");
  }

  /**
   * The missing nodes have a view of their own, later than the one that the forced attach
   * continues.
   */
  @Test
  void shouldKeepForcedStateWhenMissingNodesReturn() {
    ReplicatedFabric first = open(OPTIONS);
    put(first, 1);
    nodes.kill(2);
    put(first, 2);
    first.close();
    nodes.kill(0);
    nodes.kill(1);
    nodes.restart(2);
    ReplicatedFabric second = open(OPTIONS.withWanted(FORCED));
    put(second, 3);
    second.close();
    nodes.restart(0);
    nodes.restart(1);
    ReplicatedFabric third = open(OPTIONS);
    assertEquals(3, get(third));
    await(third, ALL);
    assertEquals(3, get(third));
  }

  @Test
  void shouldNumberForcedViewsAboveAllWithOtherParity() {
    for (long latest : new long[] {1, 2, 77, (1 << 20) - 1, 1 << 20, (1 << 20) + 1}) {
      long forced = ViewRecord.forcedNumber(latest);
      assertTrue(forced > latest && forced >>> 20 == (latest >>> 20) + 1, "forced=" + forced);
      assertEquals(1, forced + latest & 1);
    }
  }

  @Test
  void shouldNeverContinueWithPartlyFilledNode() {
    ReplicatedFabric first = open(OPTIONS);
    put(first, 1);
    nodes.kill(1);
    await(first, 0b101);
    nodes.restartEmpty(1, 30);
    while (first.replicationStatus().filledBytes() == 0) {
      LockSupport.parkNanos(100_000);
    }
    first.close();
    nodes.kill(0);
    nodes.kill(2);
    nodes.restart(1);
    assertRefused(OPTIONS, "recover=force cannot help");
    assertRefused(OPTIONS.withWanted(FORCED), "recover=force cannot help");
  }

  @Test
  void shouldRefuseWhenPartOfPoolHasNoCopy() {
    open(OPTIONS.withWanted(WantedPool.of(2, 0))).close();
    nodes.kill(1);
    nodes.kill(2);
    assertRefused(OPTIONS.withWanted(FORCED), "have no complete copy");
  }

  @Test
  void shouldIgnoreForceWhenNotNeeded() {
    ReplicatedFabric first = open(OPTIONS.withWanted(FORCED));
    put(first, 5);
    first.close();
    nodes.kill(2);
    ReplicatedFabric second = open(OPTIONS.withWanted(FORCED));
    assertEquals(0b011, second.liveNodes(), "two of three are enough");
    assertEquals(5, get(second));
    assertEquals(first.view() + 1, second.view());
  }
}
