package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/** Who may have a memory node while the one who had it goes, or does not. */
@Timeout(60)
class OwnershipLeaseTest {
  private static final long LEASE_NANOS = 10_000_000_000L;

  private final SteppedTime time = new SteppedTime();
  private final LocalFabric memory =
      new LocalFabric(new NodeMemory[] {LocalMemory.reserve(1 << 20)});
  private final Channel channel = memory.openChannel(64);
  private final OwnershipLease ownershipLease = new OwnershipLease(time, channel, LEASE_NANOS);

  @AfterEach
  void close() {
    channel.close();
    memory.close();
  }

  /** Each wait lets a millisecond pass, and something happen. */
  private static class SteppedTime implements Environment {
    private long nanos = 1;
    private Runnable meanwhile = () -> {};

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long epochMicros() {
      return nanos / 1_000;
    }

    @Override
    public long randomLong() {
      return nanos;
    }

    @Override
    public void backoff(int attempt) {
      nanos += 1_000_000;
      meanwhile.run();
    }

    @Override
    public void stepAside() {}

    @Override
    public void parkNanos(long forNanos) {
      nanos += forNanos;
    }

    @Override
    public Thread thread(String name, Runnable body) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Peer implements OwnershipLease.Connection {
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

  @Test
  void shouldServeTheNextWhenTheOwnerLeavesMeanwhile() throws Exception {
    Peer owner = new Peer();
    Peer second = new Peer();
    Peer next = new Peer();
    ownershipLease.attach("owner", 0, owner);
    ownershipLease.join(1, second);
    time.meanwhile =
        () -> {
          ownershipLease.leave(time.nanos > 30_000_000 ? owner : second);
        };
    assertEquals(2, ownershipLease.attach("next", 0, next));
    assertFalse(owner.revoked, "it had left by itself");
    assertTrue(ownershipLease.status().contains("owner=next"), ownershipLease.status());
  }

  /** An owner says itself what it is called; others read the status by lines and words. */
  @Test
  void shouldNotLetAnOwnerWriteIntoTheStatus() throws Exception {
    ownershipLease.attach("me\ncopies=x role=live\r\u2028view=9\0", 0, new Peer());
    assertEquals(3, ownershipLease.status().lines().count(), ownershipLease.status());
    assertTrue(
        ownershipLease.status().contains("\nowner=me?copies:x role:live??view:9?\n"),
        ownershipLease.status());
  }

  @Test
  void shouldRefuseTheNextOnceTheOwnerWasHeardOf() throws Exception {
    ownershipLease.attach("owner", 0, new Peer());
    time.nanos += 1_900_000_000L;
    long asked = time.nanos;
    time.meanwhile =
        () -> {
          if (time.nanos >= asked + 200_000_000L) {
            ownershipLease.heard();
          }
        };
    assertRefused(new Peer());
    assertTrue(time.nanos < asked + 300_000_000L, "it waited on after that");
  }

  /** Frames that a dead owner had sent are done when their thread runs. */
  @Test
  void shouldNotTakeWhatWasSentBeforeForASignOfLife() throws Exception {
    Peer owner = new Peer();
    ownershipLease.attach("owner", 0, owner);
    time.nanos += 1_900_000_000L;
    long asked = time.nanos;
    time.meanwhile =
        () -> {
          if (time.nanos < asked + 50_000_000L) {
            ownershipLease.heard();
          } else {
            ownershipLease.leave(owner);
          }
        };
    assertEquals(2, ownershipLease.attach("next", 0, new Peer()));
  }

  @Test
  void shouldNotKeepTheNextWaitingForever() throws Exception {
    Peer owner = new Peer();
    ownershipLease.attach("owner", 0, owner);
    long asked = time.nanos;
    assertRefused(new Peer());
    assertTrue(time.nanos - asked < 6_000_000_000L, "it waited for long");
    assertFalse(owner.revoked);
  }

  @Test
  void shouldTakeOverFromAnOwnerThatIsSilentForItsLease() throws Exception {
    Peer owner = new Peer();
    ownershipLease.attach("owner", 0, owner);
    time.nanos += LEASE_NANOS - 20_000_000L;
    assertEquals(2, ownershipLease.attach("next", 0, new Peer()));
    assertTrue(owner.revoked);
  }

  @Test
  void shouldNotLetThoseWaitWhoAreRevoked() throws Exception {
    ownershipLease.attach("owner", 0, new Peer());
    Peer next = new Peer();
    long asked = time.nanos;
    time.meanwhile = next::revoke;
    assertRefused(next);
    assertTrue(time.nanos - asked < 10_000_000L, "it waited on");
  }

  private void assertRefused(OwnershipLease.Connection next) {
    OwnershipLease.RefusedException e =
        assertThrows(
            OwnershipLease.RefusedException.class, () -> ownershipLease.attach("next", 0, next));
    assertTrue(e.getMessage().contains("in use by owner"), e.getMessage());
  }

  /**
   * The thread that serves the owner's connection is behind: it learns that the owner has gone only
   * when the next one is waiting.
   */
  @RepeatedTest(10)
  void shouldServeTheNextThoughTheEndOfTheLastIsNotKnownYet() throws Exception {
    LateThreads late = new LateThreads();
    TcpFabric.Options options = TcpFabric.Options.of("owner").withConnections(1);
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
      }
      try {
        TcpFabric.open(mine, List.of(node.address()), options).close();
        assertEquals(0, late.nextIsWaiting.getCount());
      } finally {
        late.nextIsWaiting.countDown();
      }
    }
  }

  /** The thread of the first connection goes no further, once it serves, until somebody waits. */
  private static final class LateThreads extends SteppedTime {
    private final Environment real = new SystemEnvironment();
    private final CountDownLatch nextIsWaiting = new CountDownLatch(1);
    private volatile MemoryNode node;
    private volatile Thread ofOwner;

    @Override
    public long nanoTime() {
      long now = real.nanoTime();
      if (Thread.currentThread() == ofOwner && node.isOwned()) {
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
  void shouldServeNobodyWhoDoesNotOwnThePool() throws Exception {
    Peer owner = new Peer();
    ownershipLease.attach("owner", 7, owner);
    ownershipLease.fence(7);
    assertFalse(owner.isRevoked());
    long epoch = ownershipLease.epoch();
    ownershipLease.fence(8);
    assertTrue(owner.isRevoked());
    assertFalse(ownershipLease.isOwned());
    assertThrows(
        OwnershipLease.RefusedException.class, () -> ownershipLease.join(epoch, new Peer()));
    Peer plain = new Peer();
    ownershipLease.attach("of a pool that nobody has agreed on", 0, plain);
    ownershipLease.fence(9);
    assertFalse(plain.isRevoked());
  }
}
