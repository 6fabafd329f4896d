package org.nelumbo.simulation.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.executor.cluster.ClusterConfiguration;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.ClusterNode;
import org.nelumbo.executor.cluster.ClusterStatistics;
import org.nelumbo.executor.lock.remote.LockShards;
import org.nelumbo.executor.lock.remote.ShardMap;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.message.MessageFaults;
import org.nelumbo.simulation.message.MessageNetwork;
import org.nelumbo.simulation.message.SimPeers;
import org.nelumbo.simulation.world.FifoServer;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The members of a simulated shared pool: their fencing, and the messages between them, which get
 * lost, doubled and delayed.
 */
public final class SimMembers {
  private static final MessageFaults FAULTS =
      new MessageFaults(2_000, 10_000, 0.02, 1_000_000, 0.01, 0.02);

  /** Message delays about as long as those of verbs. */
  private static final MessageFaults CALM = new MessageFaults(1_000, 1_500, 0, 0, 0, 0);

  private static final int POLLS_PER_LEASE = 20;

  /** Leases after which holders of locks of moving shards receive an abort request. */
  private static final int LEASES_PER_DRAIN = 3;

  private static final long REPLY_NANOS_MAX = 20_000;

  /**
   * Maximum time from a fence until other members detect that the fenced one is no longer a member.
   */
  private static final long FENCED_NANOS_MAX = 500_000;

  /**
   * Leases after which a shard must have an owner again. Statements of transactions that block a
   * move are aborted earlier.
   */
  private static final int OWNERLESS_LEASES_MAX = 45;

  /** Leases for which a compute node is online after it has closed its connections. */
  private static final int LINGERING_LEASES = 1;

  /**
   * Maximum number of shards that a leaving compute node gives away: all of them, and all once
   * more.
   */
  private static final long GIVEN_MAX = 2 * LockShards.COUNT;

  private final SimWorld world;
  private final SimPool pool;
  private final long lease;
  private final SimRandom random;
  private final SimPeers peers;

  /** Draws the non-voting members and the pinned shards. */
  private final SimRandom placing;

  /** Probability of a non-voting member. */
  private final double guests;

  private final List<Tenancy> tenancies = new ArrayList<>();
  private final List<ClusterMember> members = new ArrayList<>();

  /** Epoch in which the last ownerless shards lost their owner; 0 if there are none. */
  private long ownerlessEpoch;

  private long ownerlessSince;
  private int pins;
  private final PoolUsage left = new PoolUsage();

  /**
   * Creates an empty membership.
   *
   * @param options whether messages are lost or late, and the share of non-voting members
   */
  public SimMembers(SimWorld world, SimPool pool, ClusterOptions options) {
    this.world = world;
    this.placing = world.random("placing");
    this.guests = placing.chance(0.5) ? options.guests() : 0;
    this.pool = pool;
    this.lease = options.lease();
    this.random = world.random("members");
    this.peers =
        new SimPeers(world, new MessageNetwork(world, "messages", options.calm() ? CALM : FAULTS));
  }

  /** Returns the memory of compute nodes that have left. */
  PoolUsage left() {
    return left;
  }

  private ClusterConfiguration latest() {
    return agreed().orElseThrow();
  }

  /**
   * Checks that shards of failed compute nodes do not stay without an owner; takes no virtual time.
   *
   * @throws Violation if they have had no owner for too long since the last of their owners was
   *     recovered
   */
  void checkOwned() {
    ClusterConfiguration latest = agreed().orElse(null);
    if (latest == null || !latest.awaitsDrain()) {
      ownerlessEpoch = 0;
      return;
    }
    ShardMap map = latest.map();
    long epoch = map.ownerless().stream().mapToLong(map::since).max().orElseThrow();
    if (epoch != ownerlessEpoch) {
      ownerlessEpoch = epoch;
      ownerlessSince = world.now();
    } else if (world.now() - ownerlessSince > OWNERLESS_LEASES_MAX * lease) {
      throw new Violation(
          "shards have had no owner for "
              + (world.now() - ownerlessSince)
              + " ns since the last of their owners was recovered "
              + latest);
    }
  }

  /**
   * Counters of a compute node that is about to leave.
   *
   * @param shards shards it has given to other members
   * @param pins pins by hand, of all members
   */
  record Given(long shards, int pins) {}

  /** Returns the counters of a compute node, for {@link #checkGiven}. */
  Given given(ClusterMember member) {
    ClusterStatistics statistics = member.statistics();
    return new Given(statistics == null ? 0 : statistics.movedShards(), pins);
  }

  /**
   * Checks the number of shards given away by a compute node that has left: the shards it owned,
   * and at most once more the shards that were about to move to it; not those that other members
   * have given back. Each placement by hand may move all shards once.
   *
   * @param before counters before it began to leave
   * @throws Violation if it has given away more
   */
  void checkGiven(ClusterMember left, Given before) {
    Given after = given(left);
    long given = after.shards() - before.shards();
    long pinned = (long) (after.pins() - before.pins()) * LockShards.COUNT;
    if (given > GIVEN_MAX + pinned) {
      throw new Violation(
          left.id() + " has handed over " + given + " shards before it leaves " + agreed());
    }
  }

  private Optional<ClusterConfiguration> agreed() {
    return members.stream()
        .map(ClusterMember::configuration)
        .filter(each -> each != null)
        .max(Comparator.comparingLong(ClusterConfiguration::version));
  }

  /** Returns true if all members send heartbeats, and no state of a removed one is left. */
  boolean areAllAtWork() {
    return agreed().filter(ClusterConfiguration::isWhole).isPresent()
        && tenancies.stream().allMatch(Tenancy::isHeardOrFenced);
  }

  /** Returns true if every member owns its share of the shards, and no change is pending. */
  boolean isBalanced() {
    ClusterConfiguration latest = latest();
    boolean isQuiet =
        latest.isWhole()
            && tenancies.stream().allMatch(Tenancy::isAliveOrFenced)
            && members.stream().allMatch(each -> isSettled(each, latest));
    if (isQuiet) {
      checkShares(latest);
    }
    return isQuiet;
  }

  /**
   * A compute node that failed while joining, and is fenced, stays a member until the others remove
   * it.
   */
  private boolean isSettled(ClusterMember member, ClusterConfiguration latest) {
    boolean isFenced = tenancies.get(members.indexOf(member)).isFenced;
    boolean isEntered = member.id() != null;
    return member.isSettled(latest) && !(isFenced && isEntered && latest.isMember(member.id()));
  }

  private void checkShares(ClusterConfiguration latest) {
    boolean hasOwners = latest.nodes().stream().anyMatch(each -> !each.isGuest());
    Map<PeerId, Integer> owned = new HashMap<>();
    Set<PeerId> givers = new HashSet<>();
    for (int shard = 0; shard < LockShards.COUNT; shard++) {
      PeerId owner = latest.map().owner(shard);
      PeerId at = latest.pins().at(shard);
      boolean mayOwn = !hasOwners || !latest.node(owner).isGuest();
      if (at == null ? !mayOwn : !at.equals(owner)) {
        throw new Violation("a shard is at " + owner + " shard=" + shard + " " + latest);
      }
      owned.merge(owner, 1, Integer::sum);
      if (at == null) {
        givers.add(owner);
      }
    }
    for (ClusterNode each : latest.nodes()) {
      for (PeerId giver : givers) {
        int difference = owned.get(giver) - owned.getOrDefault(each.id(), 0);
        if (difference > latest.nodes().size() && (!hasOwners || !each.isGuest())) {
          throw new Violation(giver + " owns " + difference + " more than " + each + " " + latest);
        }
      }
    }
  }

  /** Pins some shards to a member, or releases them; called on a member. */
  void pinShards(ClusterMember by) {
    pins++;
    BitSet shards = new BitSet();
    int first = placing.nextInt(LockShards.COUNT);
    shards.set(first, first + 1 + placing.nextInt(LockShards.COUNT - first));
    List<ClusterNode> nodes = by.configuration().nodes();
    ClusterNode at = nodes.get(placing.nextInt(nodes.size()));
    if (placing.chance(0.3)) {
      by.releaseShards(shards);
    } else {
      by.pinShards(shards, at.id().incarnation());
    }
  }

  /** Returns true if a compute node has not closed its connections itself. */
  boolean isConnected(ClusterMember member) {
    return tenancies.get(members.indexOf(member)).isConnected();
  }

  /** Returns true if every shard has an owner, and no compute node is being recovered. */
  boolean isWhole() {
    return latest().isWhole();
  }

  /** Returns true if the memory nodes serve a compute node. */
  boolean isServed(ClusterMember member) {
    Tenancy tenancy = tenancies.get(members.indexOf(member));
    return !tenancy.isBeingFenced && tenancy.isConnected();
  }

  /** Returns true if a compute node is no longer a member. */
  boolean isGone(ClusterMember member) {
    return agreed().filter(each -> !each.isMember(member.id())).isPresent();
  }

  /**
   * Adds a compute node.
   *
   * @param attachment its attachment to the pool, by which it is fenced
   * @param fabric fabric on that attachment, used by its engine
   */
  public ClusterMember newMember(SimNode node, Fabric attachment, Fabric fabric) {
    Tenancy tenancy = new Tenancy(node, attachment, tenancies.size() + 1);
    tenancies.add(tenancy);
    ClusterMember.Options options =
        new ClusterMember.Options(
            lease / POLLS_PER_LEASE, LEASES_PER_DRAIN * lease, placing.chance(guests));
    ClusterMember member =
        new ClusterMember(node.environment(), fabric, tenancy, node.name(), options);
    members.add(member);
    return member;
  }

  /** Allows other compute nodes to write to the copies; called on the first compute node. */
  public void shareCopies() {
    if (tenancies.getFirst().attachment instanceof ReplicatedFabric copies) {
      copies.share();
    }
  }

  private final class Tenancy implements SharedPool {
    private final SimNode node;
    private final Fabric attachment;
    private final long id;
    private final SimTask heart;
    private long heard;
    private boolean isBeingFenced;
    private boolean isFenced;

    Tenancy(SimNode node, Fabric attachment, long id) {
      this.node = node;
      this.attachment = attachment;
      this.id = id;
      this.heart = world.spawnInBackground(node, "heart", this::beat);
      this.heard = world.now();
    }

    /**
     * Returns true if heartbeats arrive, or the node is fenced or has left in order, and so is
     * disconnected.
     */
    boolean isHeardOrFenced() {
      return isFenced || !isConnected() || isAlive() && world.now() - heard < lease;
    }

    boolean isAliveOrFenced() {
      return isFenced || isAlive();
    }

    boolean isAlive() {
      return heart.isAlive() && isConnected();
    }

    private boolean isConnected() {
      return pool.isConnected(attachment);
    }

    /** A compute node that has closed its connections may send messages for some time. */
    private void beat() {
      while (!isFenced && (isConnected() || world.now() - heard < LINGERING_LEASES * lease)) {
        node.environment().parkNanos(lease / 4);
        heard = isConnected() ? world.now() : heard;
      }
    }

    /** Returns true if the node sends and receives messages, now or after a pause. */
    private boolean isOnline() {
      return heart.isAlive();
    }

    @Override
    public long tenant() {
      return attachment instanceof ReplicatedFabric copies ? copies.tenant() : id;
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public boolean isWanted() {
      return false;
    }

    @Override
    public void share() {
      // The pool is shared already.
    }

    @Override
    public void ownAlone() {
      throw new UnsupportedOperationException("the last member attaches exclusively afterwards");
    }

    @Override
    public void fence(long tenant) {
      checkNotFenced();
      Tenancy dead =
          tenancies.stream().filter(each -> each.tenant() == tenant).findFirst().orElseThrow();
      dead.isBeingFenced = true;
      pool.fence(attachment, dead.attachment);
      dead.isFenced = true;
      if (attachment instanceof ReplicatedFabric copies) {
        copies.complete(tenant, this::isFencedIfSilent);
      }
      // The fenced node may be live, and still report the end of its transactions.
      world.sleepUntil(world.now() + random.nextLong(FENCED_NANOS_MAX));
    }

    @Override
    public List<PoolTenant> tenants() {
      checkNotFenced();
      world.sleepUntil(world.now() + 1 + random.nextLong(REPLY_NANOS_MAX));
      return tenancies.stream().filter(each -> !each.isFenced).map(Tenancy::known).toList();
    }

    private PoolTenant known() {
      return new PoolTenant(tenant(), node.name(), world.now() - heard, isConnected());
    }

    /** Fences the compute node here if it misses heartbeats. */
    private boolean isFencedIfSilent(long completing) {
      for (Tenancy each : List.copyOf(tenancies)) {
        if (each.tenant() == completing) {
          if (!each.isFenced && world.now() - each.heard > lease) {
            pool.fence(attachment, each.attachment);
            each.isFenced = true;
          }
          return each.isFenced;
        }
      }
      return false;
    }

    private void checkNotFenced() {
      if (isFenced) {
        throw new FabricException(0, "it was fenced", null);
      }
    }

    @Override
    public PeerNetwork openPeers(PeerId self) {
      return new NodeNetwork(this, peers.join(self));
    }

    @Override
    public long leaseNanos() {
      return lease;
    }
  }

  /**
   * The messages of a compute node. They wait while the compute node pauses, and are lost if it has
   * failed. Its processors, if it has any, send a message and serve one: the processor of the
   * sending task, and each of them in turn.
   */
  private final class NodeNetwork implements PeerNetwork {
    private final Tenancy of;
    private final PeerNetwork network;
    private int received;

    /** The processor that serves a message now; null if none does. */
    private FifoServer serving;

    NodeNetwork(Tenancy of, PeerNetwork network) {
      this.of = of;
      this.network = network;
    }

    @Override
    public PeerId self() {
      return network.self();
    }

    @Override
    public boolean send(PeerId to, ByteBuffer message) {
      if (!of.isOnline()) {
        return false;
      }
      FifoServer sender = world.isInEvent() ? serving : world.current().processor();
      if (sender == null) {
        return network.send(to, message);
      }
      ByteBuffer copy = ByteBuffer.allocate(message.remaining()).put(message).flip();
      world.at(after(sender, pool.model().cpu().send()), () -> network.send(to, copy));
      return true;
    }

    /** Returns the virtual time at which a processor has done a piece of work. */
    private long after(FifoServer processor, long nanos) {
      long now = world.now();
      return now + processor.work(now, nanos);
    }

    @Override
    public void listen(PeerListener listener) {
      network.listen((from, message) -> deliver(listener, from, message));
    }

    @Override
    public void close() {
      network.close();
    }

    private void deliver(PeerListener listener, PeerId from, ByteBuffer message) {
      if (!of.isOnline()) {
        return;
      }
      if (of.node.pausedUntil() > world.now()) {
        world.at(of.node.pausedUntil(), () -> deliver(listener, from, message));
      } else if (of.node.processors().isEmpty()) {
        listener.received(from, message);
      } else {
        List<FifoServer> processors = of.node.processors();
        FifoServer next = processors.get(received++ % processors.size());
        world.at(
            after(next, pool.model().cpu().serve()), () -> serve(next, listener, from, message));
      }
    }

    private void serve(
        FifoServer processor, PeerListener listener, PeerId from, ByteBuffer message) {
      if (of.isOnline()) {
        serving = processor;
        try {
          listener.received(from, message);
        } finally {
          serving = null;
        }
      }
    }
  }
}
