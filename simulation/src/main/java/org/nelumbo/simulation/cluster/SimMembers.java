package org.nelumbo.simulation.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.engine.Membership;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.lock.remote.ShardMap;
import org.nelumbo.simulation.locks.ConfigurationBoard;
import org.nelumbo.simulation.message.MessageFaults;
import org.nelumbo.simulation.message.MessageNetwork;
import org.nelumbo.simulation.message.SimPeers;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The compute nodes that have a simulated pool together: their configuration, which is agreed on at
 * one place and heard of late, and the messages between them, which get lost, doubled and late.
 */
final class SimMembers {
  private static final MessageFaults FAULTS =
      new MessageFaults(2_000, 10_000, 0.02, 1_000_000, 0.01, 0.02);

  /** Until holders of locks of a shard that is to move are doomed. */
  private static final long DRAIN_NANOS = 3_000_000;

  private static final long POLL_NANOS = 50_000;
  private static final int LOCK_BUCKETS = 512;

  private final SimWorld world;
  private final SimRandom random;
  private final SimPeers peers;
  private final ConfigurationBoard board;
  private final List<Member> members = new ArrayList<>();

  /** Of the pool's memory, what those have that have left. */
  private final PoolUsage left = new PoolUsage();

  /** A configuration without members has no owner of any shard. */
  private boolean isFounded;

  SimMembers(SimWorld world) {
    this.world = world;
    this.random = world.random("members");
    this.peers = new SimPeers(world, new MessageNetwork(world, "messages", FAULTS));
    this.board =
        new ConfigurationBoard(new Fenced(), world.random("board"), ShardMap.first(0, List.of()));
  }

  /** Those that are members no longer. */
  private static final class Fenced implements ConfigurationBoard.Listener {
    private final Set<PeerId> gone = new HashSet<>();

    @Override
    public void fence(PeerId node) {
      gone.add(node);
    }

    @Override
    public boolean isFenced(PeerId node) {
      return gone.contains(node);
    }

    @Override
    public void recovered(PeerId node) {
      // What it has left is the engine's.
    }
  }

  /** Memory of compute nodes that have left. */
  PoolUsage left() {
    return left;
  }

  /** Whether every member owns its share of the shards, and no shard is about to move. */
  boolean isBalanced() {
    ShardMap map = board.map();
    int share = map.owned() / map.members().size();
    return map.ownerless().isEmpty()
        && map.members().stream().allMatch(each -> map.shardsOf(each).cardinality() >= share)
        && members.stream().allMatch(each -> each.isSettled(map));
  }

  /** The place of one compute node among them. */
  Member newMember(SimNode node) {
    Member member = new Member(node);
    members.add(member);
    return member;
  }

  /** One compute node among them. */
  final class Member implements Membership {
    private final SimNode node;
    private final Environment environment;
    private PeerId id;
    private ClusterLocks locks;
    private SimTask follower;
    private int released;

    /** Epoch of the last map under which nothing relied on a shard without owner. */
    private long drainedEpoch = -1;

    /** Epoch of the last map that was looked at for shards to give away. */
    private long balancedEpoch = -1;

    private boolean hasLeft;

    private Member(SimNode node) {
      this.node = node;
      this.environment = node.environment();
    }

    @Override
    public ClusterLocks enter(ComputeNodeEntry entry, Consumer<Throwable> onBroken) {
      id = new PeerId(entry.entry(), entry.number());
      board.join(id);
      if (!isFounded) {
        isFounded = true;
        board.found(id);
      }
      released = board.releasable().size();
      locks =
          new ClusterLocks(
              environment,
              new LockTable(environment, LOCK_BUCKETS),
              new NodeNetwork(peers.join(id)),
              board.map(),
              _ -> {},
              _ -> {},
              onBroken);
      follower = world.spawnInBackground(node, "configuration", this::follow);
      return locks;
    }

    /** Whether it is no member, or has nothing to do about the map any more. */
    boolean isSettled(ShardMap map) {
      return !map.isMember(id) || balancedEpoch == map.epoch();
    }

    /** Hears of the configuration, late. */
    private void follow() {
      while (!hasLeft) {
        environment.parkNanos(POLL_NANOS / 2 + random.nextLong(POLL_NANOS));
        if (!board.map().isMember(id)) {
          return; // fenced
        }
        hear();
        if (board.map().epoch() == drainedEpoch && drainedEpoch != balancedEpoch) {
          long epoch = drainedEpoch;
          balance(board.map());
          balancedEpoch = epoch; // of the map before, if something has moved
        }
      }
    }

    /** Does what the latest configuration asks for. */
    private void hear() {
      ShardMap latest = board.map();
      locks.install(latest);
      while (released < board.releasable().size()) {
        locks.releaseHolders(board.releasable().get(released++));
      }
      if (latest.epoch() != drainedEpoch && locks.isDrained()) {
        drainedEpoch = latest.epoch();
        board.reportDrained(id, drainedEpoch);
      }
    }

    /** Gives somebody who has less than its share what this one has above its own. */
    private void balance(ShardMap map) {
      int share = map.owned() / map.members().size();
      BitSet own = map.shardsOf(id);
      if (own.cardinality() <= share) {
        return;
      }
      for (PeerId other : map.members()) {
        int room = share - map.shardsOf(other).cardinality();
        if (room > 0) {
          BitSet moving = new BitSet();
          own.stream().limit(Math.min(room, own.cardinality() - share)).forEach(moving::set);
          move(moving, other);
          return;
        }
      }
    }

    private boolean move(BitSet shards, PeerId to) {
      locks.freeze(shards);
      long start = world.now();
      while (!locks.isFree(shards) && board.map().isMember(to) && board.map().isMember(id)) {
        environment.parkNanos(POLL_NANOS);
        hear();
        if (world.now() > start + DRAIN_NANOS) {
          locks.doomHolders(shards);
        }
      }
      if (locks.isFree(shards) && board.move(shards, id, to)) {
        hear();
        return true;
      }
      locks.thaw(shards);
      return false;
    }

    @Override
    public void leave() {
      if (id == null || !board.map().isMember(id)) {
        return;
      }
      hasLeft = true;
      while (follower.isAlive()) {
        environment.parkNanos(POLL_NANOS);
      }
      while (board.map().members().size() > 1 && !board.map().shardsOf(id).isEmpty()) {
        hear();
        List<PeerId> others =
            board.map().members().stream().filter(each -> !each.equals(id)).toList();
        move(board.map().shardsOf(id), others.get(random.nextInt(others.size())));
      }
      board.remove(id);
      board.recover(id);
    }

    /** It is fenced, and nothing of it arrives any more. */
    void remove() {
      board.remove(id);
    }

    /** Its logs are recovered. */
    void recovered() {
      board.recover(id);
    }

    LockTable table() {
      return locks.table();
    }

    /** Messages wait for a compute node that pauses, and are lost if it is dead. */
    private final class NodeNetwork implements PeerNetwork {
      private final PeerNetwork network;

      NodeNetwork(PeerNetwork network) {
        this.network = network;
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
        if (!follower.isAlive() && !hasLeft) {
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
}
