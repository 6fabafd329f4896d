package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests which connections get a slot in the connection table of a memory node, and which ones are
 * evicted for them.
 */
class ConnectionTableTest {
  private static final long DEADLINE_NANOS = 1_000;
  private final ConnectionTable table = new ConnectionTable(8, DEADLINE_NANOS);

  private static final class FakePeer implements ConnectionTable.Peer {
    private final InetAddress address;
    private NodeCounters.Refusal why;

    FakePeer(int host) {
      try {
        address = InetAddress.getByAddress(new byte[] {10, 0, (byte) (host >> 8), (byte) host});
      } catch (UnknownHostException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public InetAddress address() {
      return address;
    }

    @Override
    public void cut(NodeCounters.Refusal because) {
      assertNull(why);
      why = because;
    }

    @Override
    public void end() {
      throw new AssertionError();
    }
  }

  private FakePeer enter(int host, long now) {
    FakePeer peer = new FakePeer(host);
    table.enter(peer, null, now);
    return peer;
  }

  @Test
  void shouldLetANewStrangerInForTheOldestOfItsAddress() {
    List<FakePeer> silent = new ArrayList<>();
    for (int i = 0; i < ConnectionTable.STRANGERS_OF_ADDRESS_MAX; i++) {
      silent.add(enter(1, i));
    }
    FakePeer other = enter(2, 100);
    silent.forEach(each -> assertNull(each.why));
    FakePeer honest = enter(1, 101);
    assertEquals(NodeCounters.Refusal.LIMIT, silent.getFirst().why);
    assertFalse(table.welcome(silent.getFirst(), true));
    assertTrue(table.welcome(honest, true));
    assertTrue(table.welcome(other, false));
  }

  @Test
  void shouldEvictFromAddressWithMostConnections() {
    FakePeer first = enter(1, 0);
    List<FakePeer> silent = new ArrayList<>();
    for (int i = 1; i < ConnectionTable.STRANGERS_MAX; i++) {
      silent.add(enter(i < 20 ? 2 : 2 + i, i));
    }
    FakePeer honest = enter(1, 200);
    assertNull(first.why);
    assertEquals(NodeCounters.Refusal.LIMIT, silent.getFirst().why);
    assertTrue(table.welcome(honest, true));
  }

  @Test
  void shouldCutOverdueUnauthenticatedConnections() {
    FakePeer slow = enter(1, 0);
    FakePeer quick = enter(1, 0);
    FakePeer late = enter(1, 600);
    assertTrue(table.welcome(quick, false));
    table.cutOverdue(999);
    assertNull(slow.why);
    table.cutOverdue(1_000);
    assertEquals(NodeCounters.Refusal.SILENT, slow.why);
    assertNull(quick.why);
    assertNull(late.why);
    assertFalse(table.welcome(slow, true));
  }

  @Test
  void shouldReserveSlotsForAttachingComputeNodes() {
    for (int i = 0; i < 8; i++) {
      assertTrue(table.welcome(enter(1, 0), false));
    }
    FakePeer owner = enter(1, 0);
    assertFalse(table.welcome(owner, false));
    assertTrue(table.welcome(owner, true));
    for (int i = 1; i < ConnectionTable.KEPT; i++) {
      assertTrue(table.welcome(enter(1, 0), true));
    }
    assertFalse(table.welcome(enter(1, 0), true));
  }

  @Test
  void shouldLimitUnauthenticatedConnections() {
    Random random = new Random(7);
    List<FakePeer> all = new ArrayList<>();
    int left = 0;
    int mostOfAddress = 0;
    int mostOfAll = 0;
    for (int i = 0; i < 20_000; i++) {
      int hosts = i < 10_000 ? 2 : 100;
      all.add(enter(random.nextInt(1 + random.nextInt(hosts)), i));
      FakePeer some = all.get(all.size() - 1 - random.nextInt(Math.min(all.size(), 100)));
      if (random.nextInt(4) == 0 && some.why == null) {
        table.welcome(some, true);
        table.leave(some);
        some.why = NodeCounters.Refusal.PROTOCOL;
      }
      for (; left < all.size() && all.get(left).why != null; left++) {
        table.leave(all.get(left));
      }
      Map<InetAddress, Integer> strangers = new HashMap<>();
      all.stream()
          .skip(left)
          .filter(each -> each.why == null)
          .forEach(each -> strangers.merge(each.address, 1, Integer::sum));
      int most = strangers.values().stream().mapToInt(each -> each).max().orElse(0);
      int sum = strangers.values().stream().mapToInt(each -> each).sum();
      assertTrue(most <= ConnectionTable.STRANGERS_OF_ADDRESS_MAX, "i=" + i + " most=" + most);
      assertTrue(sum <= ConnectionTable.STRANGERS_MAX, "i=" + i + " sum=" + sum);
      mostOfAddress = Math.max(mostOfAddress, most);
      mostOfAll = Math.max(mostOfAll, sum);
    }
    assertEquals(ConnectionTable.STRANGERS_OF_ADDRESS_MAX, mostOfAddress);
    assertEquals(ConnectionTable.STRANGERS_MAX, mostOfAll);
  }
}
