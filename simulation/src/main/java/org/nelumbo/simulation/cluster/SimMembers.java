package org.nelumbo.simulation.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.ClusterNode;
import org.nelumbo.executor.lock.remote.LockShards;
import org.nelumbo.executor.lock.remote.ShardMap;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.message.MessageFaults;
import org.nelumbo.simulation.message.MessageNetwork;
import org.nelumbo.simulation.message.SimPeers;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The compute nodes that share a simulated pool: how they are fenced, and the messages between
 * them, which get lost, doubled and late.
 */
final class SimMembers {
  private static final MessageFaults FAULTS =
      new MessageFaults(2_000, 10_000, 0.02, 1_000_000, 0.01, 0.02);

  private static final ClusterMember.Options OPTIONS =
      new ClusterMember.Options(50_000, 3_000_000, 512);

  /** From a fence until others know that the fenced one is no member any more. */
  private static final long FENCED_NANOS_MAX = 500_000;

  private static final long LONG_NANOS = 1_000_000_000L;

  private final SimWorld world;
  private final SimFabric pool;
  private final SimRandom random;
  private final SimPeers peers;
  private final List<Fabric> attachments = new ArrayList<>();
  private final List<ClusterMember> members = new ArrayList<>();

  /** Of the pool's memory, what those have that have left. */
  private final PoolUsage left = new PoolUsage();

  SimMembers(SimWorld world, SimFabric pool) {
    this.world = world;
    this.pool = pool;
    this.random = world.random("members");
    this.peers = new SimPeers(world, new MessageNetwork(world, "messages", FAULTS));
  }

  /** Memory of compute nodes that have left. */
  PoolUsage left() {
    return left;
  }

  /** Whether every member owns its share of the shards, and no shard is about to move. */
  boolean isBalanced() {
    Optional<ClusterConfiguration> found =
        members.stream()
            .map(ClusterMember::configuration)
            .filter(each -> each != null)
            .max(Comparator.comparingLong(ClusterConfiguration::version));
    ClusterConfiguration latest = found.orElseThrow();
    ShardMap map = latest.map();
    int share = LockShards.COUNT / map.members().size();
    return map.ownerless().isEmpty()
        && map.members().stream().allMatch(each -> map.shardsOf(each).cardinality() >= share)
        && members.stream().allMatch(each -> each.isSettled(latest));
  }

  /**
   * The place of one compute node among them.
   *
   * @param attachment its way to the pool, by which it is fenced
   * @param fabric what it uses of that
   */
  ClusterMember newMember(SimNode node, Fabric attachment, Fabric fabric) {
    attachments.add(attachment);
    ClusterMember member =
        new ClusterMember(
            node.environment(),
            fabric,
            id -> new NodeNetwork(node, peers.join(id)),
            this::fence,
            attachments.size() - 1,
            node.name(),
            OPTIONS);
    members.add(member);
    return member;
  }

  private void fence(ClusterNode dead) {
    pool.fence(attachments.get((int) dead.access()));
    // It may be alive, and say that its transactions have ended.
    world.sleepUntil(world.now() + random.nextLong(FENCED_NANOS_MAX));
  }

  /** Messages wait for a compute node that pauses, and are lost if it is dead. */
  private final class NodeNetwork implements PeerNetwork {
    private final SimNode node;
    private final PeerNetwork network;
    private final SimTask life;

    NodeNetwork(SimNode node, PeerNetwork network) {
      this.node = node;
      this.network = network;
      this.life = world.spawnInBackground(node, "life", this::live);
    }

    private void live() {
      while (true) {
        node.environment().parkNanos(LONG_NANOS);
      }
    }

    @Override
    public PeerId self() {
      return network.self();
    }

    @Override
    public boolean send(PeerId to, ByteBuffer message) {
      return network.send(to, message);
    }

    @Override
    public void listen(PeerListener listener) {
      network.listen((from, message) -> deliver(listener, from, message));
    }

    private void deliver(PeerListener listener, PeerId from, ByteBuffer message) {
      if (!life.isAlive()) {
        return;
      }
      if (node.pausedUntil() > world.now()) {
        world.at(node.pausedUntil(), () -> deliver(listener, from, message));
      } else {
        listener.received(from, message);
      }
    }
  }
}
