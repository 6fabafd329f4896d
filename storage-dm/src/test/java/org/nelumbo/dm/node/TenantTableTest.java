package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.env.VirtualTime;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.SharedPool;

/**
 * Tests which compute node may own or share a memory node while the previous owner leaves, fails or
 * stays.
 */
@Timeout(60)
class TenantTableTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long LEASE_NANOS = 10_000_000_000L;

  private final VirtualTime time = new VirtualTime(MILLISECOND, () -> {});
  private final LocalFabric memory =
      new LocalFabric(new NodeMemory[] {LocalMemory.reserve(1 << 20)});
  private final Channel channel = memory.openChannel(64);
  private long nextId = 1;
  private final TenantTable tenants = new TenantTable(time, channel, LEASE_NANOS);

  @AfterEach
  void close() {
    channel.close();
    memory.close();
  }

  private static final class Peer implements TenantTable.Connection {
    private boolean revoked;

    @Override
    public void revoke() {
      revoked = true;
    }

    @Override
    public boolean isRevoked() {
      return revoked;
    }
  }

  private Tenant attach(String name, long incarnation, TenantTable.Connection connection)
      throws RefusedException {
    return tenants.attach(nextId++, name, incarnation, connection);
  }

  private Tenant enter(String name, TenantTable.Connection connection) throws RefusedException {
    return tenants.enter(nextId++, name, connection);
  }

  @Test
  void shouldAdmitNextOwnerWhenCurrentOneLeaves() throws Exception {
    Peer owner = new Peer();
    Peer second = new Peer();
    Peer next = new Peer();
    Tenant served = attach("owner", 0, owner);
    tenants.join(served.id, second);
    time.meanwhile =
        () -> {
          tenants.leave(time.nanos > 30_000_000 ? owner : second);
        };
    attach("next", 0, next);
    assertEquals(2, tenants.epoch());
    assertFalse(owner.revoked, "it had left by itself");
    assertTrue(tenants.status().contains("owner=next"), tenants.status());
  }

  /**
   * The owner chooses its own name, and the status is parsed by lines and words: line breaks and
   * separators in the name are replaced.
   */
  @Test
  void shouldNotLetAnOwnerWriteIntoTheStatus() throws Exception {
    attach("me\ncopies=x role=live\r\u2028view=9\0", 0, new Peer());
    assertEquals(3, tenants.status().lines().count(), tenants.status());
    assertTrue(
        tenants.status().contains("\nowner=me?copies:x role:live??view:9?\n"), tenants.status());
  }

  @Test
  void shouldRefuseTheNextOnceTheOwnerWasHeardOf() throws Exception {
    Tenant served = attach("owner", 0, new Peer());
    time.nanos += 1_900_000_000L;
    long asked = time.nanos;
    time.meanwhile =
        () -> {
          if (time.nanos >= asked + 200_000_000L) {
            served.heard(time.nanos);
          }
        };
    assertRefused(new Peer());
    assertTrue(time.nanos < asked + 300_000_000L, "it waited on after that");
  }

  /** Frames that a failed owner had sent before may be processed by their thread later. */
  @Test
  void shouldNotCountEarlierFramesAsSignOfLife() throws Exception {
    Peer owner = new Peer();
    Tenant served = attach("owner", 0, owner);
    time.nanos += 1_900_000_000L;
    long asked = time.nanos;
    time.meanwhile =
        () -> {
          if (time.nanos < asked + 50_000_000L) {
            served.heard(time.nanos);
          } else {
            tenants.leave(owner);
          }
        };
    attach("next", 0, new Peer());
    assertEquals(2, tenants.epoch());
  }

  @Test
  void shouldLimitWaitOfNextOwner() throws Exception {
    Peer owner = new Peer();
    attach("owner", 0, owner);
    long asked = time.nanos;
    assertRefused(new Peer());
    assertTrue(time.nanos - asked < 6_000_000_000L, "it waited for long");
    assertFalse(owner.revoked);
  }

  @Test
  void shouldTakeOverFromOwnerSilentForLease() throws Exception {
    Peer owner = new Peer();
    attach("owner", 0, owner);
    time.nanos += LEASE_NANOS - 20_000_000L;
    attach("next", 0, new Peer());
    assertEquals(2, tenants.epoch());
    assertTrue(owner.revoked);
  }

  @Test
  void shouldRefuseRevokedPeerWithoutWaiting() throws Exception {
    attach("owner", 0, new Peer());
    Peer next = new Peer();
    long asked = time.nanos;
    time.meanwhile = next::revoke;
    assertRefused(next);
    assertTrue(time.nanos - asked < 10_000_000L, "it waited on");
  }

  private void assertRefused(TenantTable.Connection next) {
    RefusedException e = assertThrows(RefusedException.class, () -> attach("next", 0, next));
    assertTrue(e.getMessage().contains("in use by owner"), e.getMessage());
  }

  /**
   * The thread that serves the connection of the owner is late: it detects the end of the
   * connection only while the next owner is waiting.
   */
  @RepeatedTest(10)
  void shouldAdmitNextOwnerBeforeDisconnectIsDetected() throws Exception {
    LateThreads late = new LateThreads();
    TcpOptions options = TcpOptions.of("owner").withConnections(1);
    try (MemoryNode node =
        new MemoryNode(
            late,
            LocalMemory.reserve(1 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT)) {
      late.node = node;
      node.start();
      Environment mine = new SystemEnvironment();
      try (TcpFabric owner = TcpFabric.open(mine, List.of(node.address()), options);
          Channel leaving = owner.openChannel(64)) {
        leaving.writeLong(PoolAddress.of(0, 8192), 1);
        leaving.start();
        LateThreads.await(late.ownerIsBehind); // or its end could be detected earlier
      }
      try {
        TcpFabric.open(mine, List.of(node.address()), options).close();
        assertEquals(0, late.nextIsWaiting.getCount());
      } finally {
        late.nextIsWaiting.countDown();
      }
    }
  }

  /**
   * An environment that blocks the thread of the first connection, once it serves frames, until the
   * next owner is waiting.
   */
  private static final class LateThreads extends VirtualTime {
    private final Environment real = new SystemEnvironment();
    private final CountDownLatch nextIsWaiting = new CountDownLatch(1);
    private final CountDownLatch ownerIsBehind = new CountDownLatch(1);
    private volatile MemoryNode node;
    private volatile Thread ofOwner;

    LateThreads() {
      super(MILLISECOND, () -> {});
    }

    @Override
    public long nanoTime() {
      long now = real.nanoTime();
      if (Thread.currentThread() == ofOwner && node.isOwned()) {
        ownerIsBehind.countDown();
        await(nextIsWaiting);
      }
      return now;
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void backoff(int attempt) {
      nextIsWaiting.countDown();
      real.backoff(attempt);
    }

    @Override
    public void stepAside() {
      real.stepAside();
    }

    @Override
    public void parkNanos(long nanos) {
      real.parkNanos(nanos);
    }

    @Override
    public Thread thread(String name, Runnable body) {
      Thread thread = real.thread(name, body);
      if (name.startsWith("nelumbo-peer") && ofOwner == null) {
        ofOwner = thread;
      }
      return thread;
    }
  }

  @Test
  void shouldRevokeTenantThatDoesNotOwnPool() throws Exception {
    Peer owner = new Peer();
    Tenant served = attach("owner", 7, owner);
    tenants.fence(7);
    assertFalse(owner.isRevoked());
    tenants.fence(8);
    assertTrue(owner.isRevoked());
    assertFalse(tenants.isOwned());
    assertThrows(RefusedException.class, () -> tenants.join(served.id, new Peer()));
    Peer plain = new Peer();
    attach("of a pool that nobody has agreed on", 0, plain);
    tenants.fence(9);
    assertFalse(plain.isRevoked());
  }

  /** The fenced tenant may have relied on a read lease until then. */
  @Test
  void shouldFenceForAsLongAsAReadLeaseIsValid() throws Exception {
    Tenant a = attach("a", 0, new Peer());
    tenants.share(a);
    Tenant b = enter("b", new Peer());
    time.nanos += LEASE_NANOS;
    b.heard(time.nanos);
    a.heard(time.nanos);
    long cutOff = SharedPool.cutOffNanos(LEASE_NANOS);
    long heard = time.nanos;
    time.nanos += cutOff / 4;
    tenants.fence(a, b.id);
    assertEquals(heard + cutOff, time.nanos);
    time.nanos = heard + cutOff / 2;
    tenants.fence(a, b.id);
    assertEquals(heard + cutOff, time.nanos, "somebody else has fenced it meanwhile");
    time.nanos += cutOff;
    long later = time.nanos;
    tenants.fence(a, b.id);
    tenants.fence(a, 4711);
    assertEquals(later, time.nanos);
  }

  @Test
  void shouldNotWaitForLeaseOfTenantThatLeft() throws Exception {
    Tenant a = attach("a", 0, new Peer());
    tenants.share(a);
    Peer peer = new Peer();
    Tenant b = enter("b", peer);
    tenants.quit(b, peer);
    long left = time.nanos;
    tenants.fence(a, b.id);
    assertEquals(left, time.nanos);
  }

  private static void assertReason(short reason, Executable asked) {
    RefusedException e = assertThrows(RefusedException.class, asked);
    assertEquals(reason, e.reason(), e.getMessage());
  }

  @Test
  void shouldAdmitMembersOnlyWhenOwnerShares() throws Exception {
    assertReason(Wire.VACANT, () -> enter("b", new Peer()));
    Tenant a = attach("a", 0, new Peer());
    RefusedException e = assertThrows(RefusedException.class, () -> enter("b", new Peer()));
    assertEquals("a", e.owner());
    assertTrue(e.getMessage().contains("in use by a: one compute node at a time"), e.getMessage());
    tenants.share(a);
    tenants.share(a);
    Peer one = new Peer();
    Tenant b = enter("b", one);
    assertEquals(1, tenants.epoch(), "nobody has begun anew");
    assertEquals("a and b", tenants.owner());
    assertTrue(tenants.status().contains("tenants=2\n"), tenants.status());
    assertReason(Wire.OTHER_REASON, () -> tenants.enter(b.id, "b", new Peer()));
    assertReason(Wire.SHARED, () -> tenants.ownAlone(a));
    tenants.quit(b, one);
    assertFalse(one.revoked, "it is still to be answered");
    tenants.ownAlone(a);
    assertThrows(RefusedException.class, () -> enter("c", new Peer()));
  }

  @Test
  void shouldRefuseExclusiveOwnerWhileMembersAreAlive() throws Exception {
    Peer ofA = new Peer();
    Peer ofB = new Peer();
    Tenant a = attach("a", 0, ofA);
    tenants.share(a);
    Tenant b = enter("b", ofB);
    time.meanwhile = () -> b.heard(time.nanos);
    assertReason(Wire.SHARED, () -> attach("alone", 0, new Peer()));
    time.nanos += LEASE_NANOS;
    b.heard(time.nanos);
    assertReason(Wire.SHARED, () -> attach("alone", 0, new Peer()));
    enter("beside b", new Peer());
    time.nanos += LEASE_NANOS;
    assertReason(Wire.VACANT, () -> enter("c", new Peer()));
    attach("alone", 0, new Peer());
    assertTrue(ofA.revoked && ofB.revoked);
    assertEquals(2, tenants.epoch());
    assertReason(Wire.REVOKED, () -> tenants.join(a.id, new Peer()));
    assertReason(Wire.REVOKED, () -> tenants.share(b));
  }

  /** A tenant of a shared node stays, with or without connections, until it leaves or is fenced. */
  @Test
  void shouldKeepTenantWithoutConnections() throws Exception {
    Peer connection = new Peer();
    Tenant a = attach("a", 0, new Peer());
    tenants.share(a);
    Tenant b = enter("b", connection);
    tenants.leave(connection);
    time.nanos += 1_000;
    List<String> seen = new ArrayList<>();
    tenants.visitAll(
        a, (id, silent, connections, name) -> seen.add(name + " " + connections + " " + silent));
    assertEquals(List.of("a 1 1000", "b 0 1000"), seen);
    tenants.join(b.id, connection);
    assertReason(Wire.SHARED, () -> tenants.ownAlone(a));
    tenants.leave(connection);
    tenants.fence(a, b.id);
    tenants.ownAlone(a);
  }

  private long silenceOf(Tenant other, Tenant asking) throws RefusedException {
    long[] silence = new long[1];
    tenants.visitAll(
        asking, (id, silent, _, _) -> silence[0] = id == other.id ? silent : silence[0]);
    return silence[0];
  }

  /**
   * After a pause of its own process, a compute node may read the silence of another tenant before
   * the messages of that tenant have been processed.
   */
  @Test
  void shouldNotMistakeOwnPauseForSilenceOfTenant() throws Exception {
    Tenant a = attach("a", 0, new Peer());
    tenants.share(a);
    Tenant b = enter("b", new Peer());
    assertEquals(0, silenceOf(b, a));
    time.nanos += LEASE_NANOS / 4;
    assertEquals(LEASE_NANOS / 4, silenceOf(b, a));
    time.nanos += 2 * LEASE_NANOS;
    assertEquals(0, silenceOf(b, a));
    for (int look = 1; look <= 5; look++) {
      time.nanos += LEASE_NANOS / 4;
      assertEquals(look * LEASE_NANOS / 4, silenceOf(b, a), "it has failed all the same");
    }
    b.heard(time.nanoTime());
    assertEquals(0, silenceOf(b, a));
  }

  @Test
  void shouldRefuseFencedTenantForever() throws Exception {
    Peer connection = new Peer();
    Tenant a = attach("a", 0, new Peer());
    tenants.share(a);
    Tenant b = enter("b", connection);
    tenants.fence(a, b.id);
    tenants.fence(a, b.id);
    assertTrue(connection.revoked);
    assertEquals("a", tenants.owner());
    assertReason(Wire.REVOKED, () -> tenants.join(b.id, new Peer()));
    assertReason(Wire.REVOKED, () -> tenants.enter(b.id, "b", new Peer()));
    assertReason(Wire.REVOKED, () -> tenants.fence(b, a.id));
    tenants.fence(a, 77);
    assertReason(Wire.REVOKED, () -> tenants.enter(77, "never here", new Peer()));
    assertReason(Wire.REVOKED, () -> tenants.attach(77, "never here", 0, new Peer()));
    assertReason(Wire.OTHER_REASON, () -> tenants.join(78, new Peer()));
    assertReason(Wire.OTHER_REASON, () -> tenants.fence(a, a.id));
  }

  @Test
  void shouldRefuseTenantBeyondMaximum() throws Exception {
    tenants.share(attach("a", 0, new Peer()));
    for (int i = 1; i < TenantTable.TENANTS_MAX; i++) {
      enter("another", new Peer());
    }
    assertReason(Wire.OTHER_REASON, () -> enter("one too many", new Peer()));
  }
}
