package org.nelumbo.executor.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.ForwardingEnvironment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.HybridClock;

/**
 * Tests the reaction of a member to failures of memory nodes and network; the simulator covers the
 * rest.
 */
@Timeout(60)
class ClusterMemberTest {
  private static final long LATCH = PoolAddress.of(0, SuperblockLayout.CONFIGURATION_LATCH_OFFSET);
  private static final ComputeNodeEntry ENTRY = new ComputeNodeEntry(2, 0);
  private static final ClusterMember.Options OPTIONS =
      new ClusterMember.Options(1_000_000, 10_000_000, false);

  private final List<Long> fenced = new CopyOnWriteArrayList<>();
  private final LockTable table = new LockTable(new SystemEnvironment(), 512);
  private LocalFabric fabric;
  private Channel channel;

  @BeforeEach
  void format() {
    fabric = new LocalFabric(1 << 20);
    PoolFormat.format(fabric, 1);
    channel = fabric.openChannel(ConfigurationRegister.STAGING_BYTES);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  /** Frees the configuration latch during a backoff of its waiter. */
  private final class LatchFreer extends ForwardingEnvironment {
    @Override
    public void backoff(int attempt) {
      if (attempt == 3) {
        channel.writeLong(LATCH, 0);
        channel.flush();
      }
      environment.backoff(attempt);
    }
  }

  /** Memory nodes of a shared pool that record fenced tenants. */
  private final class Nodes implements SharedPool {
    private final Function<PeerId, PeerNetwork> networks;

    Nodes(Function<PeerId, PeerNetwork> networks) {
      this.networks = networks;
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public PeerNetwork openPeers(PeerId self) {
      return networks.apply(self);
    }

    @Override
    public long tenant() {
      return 77;
    }

    @Override
    public void share() {
      // already shared
    }

    @Override
    public void ownAlone() {
      throw new AssertionError("it is shared");
    }

    @Override
    public void fence(long tenant) {
      fenced.add(tenant);
    }

    @Override
    public List<PoolTenant> tenants() {
      return List.of();
    }

    @Override
    public long leaseNanos() {
      return 4;
    }
  }

  /** A network that loses every message. */
  private record Silence(PeerId self) implements PeerNetwork {
    @Override
    public boolean send(PeerId to, ByteBuffer message) {
      return false;
    }

    @Override
    public void listen(PeerListener listener) {
      // no message arrives
    }

    @Override
    public void close() {
      // no resources
    }
  }

  private ClusterMember member(Function<PeerId, PeerNetwork> networks) {
    return new ClusterMember(new LatchFreer(), fabric, new Nodes(networks), "member", OPTIONS);
  }

  private ConfigurationRegister.Content content() {
    return new ConfigurationRegister(
            new SystemEnvironment(), channel, fabric.nodeBytes(0), 9, _ -> false)
        .read();
  }

  @Test
  void shouldNotJoinWithoutNetwork() {
    ClusterMember member =
        member(
            _ -> {
              throw new IllegalStateException("no network");
            });
    assertThrows(
        IllegalStateException.class,
        () ->
            member.enter(
                ENTRY, new HybridClock(new SystemEnvironment()), table, OwnedCopies.NONE, _ -> {}));
    assertEquals(0, content().version());
    member.leave();
    member.leave();
  }

  @Test
  void shouldLeaveOnlyOnce() {
    ClusterMember member = member(Silence::new);
    member.enter(ENTRY, new HybridClock(new SystemEnvironment()), table, OwnedCopies.NONE, _ -> {});
    member.leave();
    member.leave();
    ClusterConfiguration left = ClusterConfiguration.decode(content().bytes());
    assertEquals(2, left.version());
    assertTrue(left.nodes().isEmpty());
  }

  /**
   * Another thread of the member may hold the latch while memory nodes have received no heartbeat
   * of the member for a long time.
   */
  @Test
  void shouldWaitForItsOwnLatchAndNotFenceItself() {
    channel.writeLong(PoolAddress.of(0, SuperblockLayout.COMPUTE_NODES_OFFSET), ENTRY.number());
    channel.writeLong(
        SuperblockLayout.computeNode(0) + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET, 77);
    channel.writeLong(LATCH, ENTRY.number());
    channel.flush();
    ClusterMember member = member(Silence::new);
    member.enter(ENTRY, new HybridClock(new SystemEnvironment()), table, OwnedCopies.NONE, _ -> {});
    assertEquals(List.of(), fenced);
    member.leave();
  }

  /** The other members wait for locks of the failed ones until these are fenced. */
  @Test
  void shouldFenceAllFailedMembersBeforeRepair() throws InterruptedException {
    Environment environment = new SystemEnvironment();
    LocalFabric pool = new LocalFabric(64 << 20);
    PoolFormat.format(pool, 1);
    ClusterMember member =
        new ClusterMember(environment, pool, new Nodes(Silence::new), "member", OPTIONS);
    Engine engine = Engine.join(environment, pool, EngineOptions.DEFAULT, member);
    engine.start();
    ClusterNode first = enter(pool, 10, 78);
    ClusterNode second = enter(pool, 11, 79);
    member.changeOnce(before -> before.with(first).with(second));
    while (member.configuration().nodes().size() < 3) {
      Thread.onSpinWait();
    }
    BlockingQueue<List<Long>> fencedBefore = new LinkedBlockingQueue<>();
    member.watch(
        engine,
        new SharedTables() {
          @Override
          public List<TableStore> catalogue() {
            fencedBefore.add(List.copyOf(fenced));
            return List.of();
          }

          @Override
          public boolean use(long schemaVersion, Consumer<List<TableStore>> work) {
            work.accept(List.of());
            return true;
          }
        });
    assertEquals(List.of(78L, 79L), fencedBefore.take(), "before the first is repaired");
    assertEquals(List.of(78L, 79L), fencedBefore.take(), "before the second is repaired");
    engine.close();
  }

  /** Enters a compute node without any heartbeats into the table of compute nodes. */
  private static ClusterNode enter(LocalFabric pool, int entry, long tenant) {
    ComputeNodeEntry at = new ComputeNodeEntry(100 + entry, entry);
    try (Channel own = pool.openChannel(ConfigurationRegister.STAGING_BYTES)) {
      long address = SuperblockLayout.computeNode(entry);
      own.writeLong(address, at.number());
      own.writeLong(address + SuperblockLayout.COMPUTE_NODE_TENANT_OFFSET, tenant);
      own.flush();
    }
    return new ClusterNode(ClusterNode.id(at), tenant, false, "failed " + entry, 0);
  }
}
