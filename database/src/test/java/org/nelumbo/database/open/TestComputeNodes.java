package org.nelumbo.database.open;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.SchemaAgreement;

/** Compute nodes of this process that share a pool; none of them fails. */
final class TestComputeNodes implements AutoCloseable {
  private static final ClusterMember.Options OPTIONS =
      new ClusterMember.Options(200_000, 5_000_000, false);

  private final LocalFabric memory = new LocalFabric(1, 64L << 20);
  private final Map<PeerId, Peer> peers = new ConcurrentHashMap<>();
  private final List<LocalDatabase> databases = new ArrayList<>();
  private final List<ClusterMember> members = new ArrayList<>();
  private int tenants;

  private Fabric fabric() {
    return new ForwardingFabric(memory) {
      @Override
      public void close() {}
    };
  }

  /** Adds a compute node. The first one creates the pool and begins to share it. */
  LocalDatabase join() {
    return join(new SystemEnvironment());
  }

  /** Adds a compute node with the given environment. */
  LocalDatabase join(Environment environment) {
    Fabric fabric = fabric();
    ClusterMember member =
        new ClusterMember(environment, fabric, new Nodes(++tenants), "node " + tenants, OPTIONS);
    members.add(member);
    if (databases.isEmpty()) {
      databases.add(
          DatabaseOpener.attach(
              DatabaseOptions.defaults(), environment, "a test", "", () -> fabric, _ -> member));
    } else {
      databases.add(
          DatabaseOpener.join(DatabaseOptions.defaults(), environment, "", fabric, member));
    }
    return databases.getLast();
  }

  /** Returns the schema agreement of the first compute node. */
  SchemaAgreement agreement() {
    return members.getFirst().schema();
  }

  @Override
  public void close() {
    databases.forEach(LocalDatabase::close);
    memory.close();
  }

  /** A network endpoint that delivers messages in order, on its own thread. */
  private final class Peer implements PeerNetwork {
    private final ExecutorService thread =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
    private final PeerId id;
    private volatile PeerListener listener = (_, _) -> {};

    Peer(PeerId id) {
      this.id = id;
    }

    @Override
    public PeerId self() {
      return id;
    }

    @Override
    public boolean send(PeerId to, ByteBuffer message) {
      Peer peer = peers.get(to);
      if (peer == null) {
        return false;
      }
      byte[] bytes = new byte[message.remaining()];
      message.duplicate().get(bytes);
      ByteBuffer copy = ByteBuffer.wrap(bytes).order(message.order());
      try {
        peer.thread.execute(() -> peer.listener.received(id, copy));
        return true;
      } catch (RejectedExecutionException e) {
        return false; // it has just left
      }
    }

    @Override
    public void listen(PeerListener newListener) {
      listener = newListener;
    }

    @Override
    public void close() {
      peers.remove(id);
      thread.shutdown();
    }
  }

  /** Memory nodes that always receive the heartbeats of all members. */
  private final class Nodes implements SharedPool {
    private final long tenant;

    Nodes(long tenant) {
      this.tenant = tenant;
    }

    @Override
    public long tenant() {
      return tenant;
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public PeerNetwork openPeers(PeerId self) {
      return peers.computeIfAbsent(self, Peer::new);
    }

    @Override
    public void share() {
      // The pool is shared already.
    }

    @Override
    public void ownAlone() {
      throw new AssertionError("it is shared");
    }

    @Override
    public void fence(long other) {
      throw new AssertionError("nobody has died");
    }

    @Override
    public List<PoolTenant> tenants() {
      List<PoolTenant> all = new ArrayList<>();
      for (long each = 1; each <= tenants; each++) {
        all.add(new PoolTenant(each, "node " + each, 0, true));
      }
      return all;
    }

    @Override
    public long leaseNanos() {
      return 100_000_000L;
    }
  }
}
