package org.nelumbo.executor.cluster;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.Membership;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.timestamp.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One compute node of a shared pool, as a member of the cluster. Its parts are
 *
 * <ul>
 *   <li>{@link SharedConfiguration}, which reads and changes the configuration in the pool;
 *   <li>{@link ConfigurationFollower} and {@link ShardBalancer}, which install each configuration
 *       and move shards, on a thread of this object;
 *   <li>{@link FailureDetector}, which detects failed compute nodes, and {@link NodeRemoval}, which
 *       fences, removes and recovers them, on a thread of its own.
 * </ul>
 *
 * <p>Thread-safe, except that {@link #enter} and {@link #leave} are confined to one thread.
 */
public final class ClusterMember implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);

  /** Number of drain times after which a statement that blocks others is stopped. */
  private static final int PATIENCE_DRAINS = 10;

  private final Environment environment;
  private final Fabric fabric;
  private final SharedPool pool;
  private final String name;
  private final Options options;
  private final FailureDetector detector;
  private PeerId id;
  private SharedConfiguration shared;
  private PeerNetwork network;
  private MemberSchema schema;
  private ClusterLocks locks;
  private ShardBalancer balancer;
  private NodeRemoval removal;
  private BackgroundThread thread;

  /**
   * Confined to the thread; to {@link #enter} before it is started, and to {@link #leave}
   * afterwards.
   */
  private Channel channel;

  private boolean hasLeft;

  /** Set last, when all other parts are set. */
  private volatile ConfigurationFollower follower;

  private volatile FabricException lost;

  /**
   * Settings.
   *
   * @param pollNanos average time between two reads of the configuration
   * @param drainNanos time after which transactions that hold locks of moving shards receive abort
   *     requests
   * @param isGuest true for a client, which owns shards only if all members are clients
   */
  public record Options(long pollNanos, long drainNanos, boolean isGuest) {
    /** Settings for processes on one network. */
    public static final Options DEFAULT = new Options(5_000_000, 100_000_000, false);

    /** Returns these settings for a client or another member. */
    public Options withGuest(boolean value) {
      return new Options(pollNanos, drainNanos, value);
    }
  }

  /**
   * Creates a compute node that is not a member yet.
   *
   * @param pool used to reach the other compute nodes, and to fence failed ones
   * @param name name for display
   */
  public ClusterMember(
      Environment environment, Fabric fabric, SharedPool pool, String name, Options options) {
    this.environment = environment;
    this.fabric = fabric;
    this.pool = pool;
    this.name = name;
    this.options = options;
    this.detector = new FailureDetector(environment, fabric, pool);
  }

  /** Returns the installed configuration, or null before this compute node has entered. */
  public ClusterConfiguration configuration() {
    return follower == null ? null : follower.known();
  }

  /**
   * Returns its part in the agreement on the schema, or null before this compute node has entered.
   */
  public SchemaAgreement schema() {
    return schema;
  }

  private void checkNotLost() {
    if (lost != null) {
      throw new FabricException(0, lost.getMessage(), lost);
    }
  }

  /** Returns its identity, or null before this compute node has entered. */
  public PeerId id() {
    return id;
  }

  /**
   * Returns true if this compute node is not a member, or has settled a configuration and given
   * away the shards of others.
   */
  public boolean isSettled(ClusterConfiguration latest) {
    ClusterConfiguration known = configuration();
    return known == null
        || !latest.isMember(id)
        || (known.version() == latest.version() && balancer.isBalanced(latest.map().epoch()));
  }

  @Override
  public long tenant() {
    return pool.tenant();
  }

  @Override
  public ClusterLocks enter(
      ComputeNodeEntry node,
      Clock clock,
      LockTable table,
      OwnedCopies copies,
      Consumer<Throwable> onBroken) {
    id = ClusterNode.id(node);
    ClusterNode self =
        new ClusterNode(id, pool.tenant(), options.isGuest(), name, environment.epochMicros());
    shared = new SharedConfiguration(environment, fabric, node, detector, () -> thread.wake());
    channel = shared.openChannel();
    schema =
        new MemberSchema(
            shared, fabric, id, this::configuration, this::checkNotLost, options.pollNanos());
    ConfigurationRegister register = shared.register(channel);
    network = new ClockedNetwork(pool.openPeers(id), clock);
    ClusterConfiguration first =
        SharedConfiguration.change(
            register,
            before -> before == null ? ClusterConfiguration.first(self) : before.with(self));
    locks =
        new ClusterLocks(
            environment,
            table,
            network,
            first.map(),
            copies,
            PATIENCE_DRAINS * options.drainNanos(),
            _ -> thread.wake(),
            onBroken);
    ConfigurationFollower entered =
        new ConfigurationFollower(environment, channel, clock, register, first, locks, schema, id);
    balancer =
        new ShardBalancer(
            environment, entered, locks, id, options.pollNanos(), options.drainNanos());
    removal = new NodeRemoval(environment, pool, shared, detector, id, entered::known);
    follower = entered;
    thread =
        new BackgroundThread(
            environment,
            "nelumbo-member",
            () -> followUntilLost(onBroken),
            why -> {
              onBroken.accept(why);
              return false;
            });
    thread.start();
    LOG.info("joined the pool as {}; its compute nodes are {}", id, first.names());
    LOG.debug("{} has configuration {}", id, first);
    return locks;
  }

  /** The engine of this compute node stops then, too. */
  private void followUntilLost(Consumer<Throwable> onLost) {
    try {
      while (!thread.isStopped()) {
        follower.pause();
        follower.hear();
        balancer.balanceIfDue();
      }
    } catch (FabricException e) {
      LOG.warn("{} no longer shares the pool: {}", id, e.getMessage());
      lost = e;
      locks.lose();
      onLost.accept(e);
    }
  }

  /**
   * Returns the locally known statistics without a round trip, or null before this compute node has
   * entered.
   */
  public ClusterStatistics statistics() {
    ConfigurationFollower entered = follower;
    if (entered == null) {
      return null;
    }
    ClusterConfiguration latest = entered.known();
    return new ClusterStatistics(
        latest.nodes().size(),
        latest.version(),
        latest.map().epoch(),
        entered.ownedShards(),
        entered.ownerlessShards(),
        balancer.movedShards(),
        removal.recoveries(),
        locks.counts(),
        locks.grantCount(),
        Math.max(0, removal.silentNanos()),
        pool.leaseNanos());
  }

  /** Reads the compute nodes of the pool: one round trip to the pool and to each memory node. */
  public ClusterReport report() {
    return ClusterReport.of(configuration(), shared, detector, pool.leaseNanos());
  }

  /** Returns the shards of this compute node that are about to move. */
  public BitSet movingShards() {
    return locks.frozen();
  }

  /**
   * Pins shards to a member. Their owners move them there when they are free. They stay there until
   * the member leaves or fails, or they are pinned elsewhere or released.
   *
   * @param number number of the member
   * @return false if there is no such member, or it is about to leave
   * @throws IllegalArgumentException if there are more runs of pinned shards than the encoding has
   *     room for
   */
  public boolean pinShards(BitSet shards, long number) {
    ClusterConfiguration latest =
        changeOnce(
            before -> {
              ClusterNode to = before.node(number);
              return to == null ? before : before.pinned(shards, to.id());
            });
    return latest.isStaying(number);
  }

  /** Releases pinned shards, so that the members share them again. */
  public void releaseShards(BitSet shards) {
    changeOnce(before -> before.released(shards));
  }

  ClusterConfiguration changeOnce(UnaryOperator<ClusterConfiguration> change) {
    return shared.change(change);
  }

  /**
   * Starts to watch the other members, and to remove and recover those that are silent for longer
   * than the lease. Called again when more tables are known.
   *
   * @param engine engine of this compute node
   * @param tables tables known so far
   */
  public void watch(Engine engine, SharedTables tables) {
    removal.begin(engine, tables);
  }

  @Override
  public void retire() {
    if (removal != null) {
      removal.end();
    }
  }

  @Override
  public void leave() {
    if (channel == null || hasLeft) {
      return;
    }
    hasLeft = true;
    endThreads();
    try {
      if (locks != null) {
        leaveToOthers();
      }
    } finally {
      closeChannels();
    }
  }

  private void endThreads() {
    retire();
    if (thread != null) {
      thread.stop();
      thread.join();
    }
  }

  /**
   * An open channel would keep the connections by which memory nodes take this compute node for
   * alive.
   */
  private void closeChannels() {
    schema.close();
    channel.close();
  }

  private void leaveToOthers() {
    UnaryOperator<ClusterConfiguration> leaving = before -> before.left(id);
    ClusterConfiguration latest = follower.change(leaving);
    for (int turn = 0; latest.isMember(id); turn++) {
      follower.install(latest);
      follower.settle();
      List<PeerId> others = follower.known().ownersBeside(id);
      BitSet own = follower.known().map().shardsOf(id);
      if (!others.isEmpty()
          && !balancer.move(own, others.get(turn % others.size()))
          && isForsaken()) {
        LOG.warn(
            "{} leaves the pool without a handover: no other member recovers the failed ones", id);
        return; // the next attach is exclusive, and recovers all failed compute nodes
      }
      latest = follower.change(leaving);
    }
  }

  /** Returns true if members have failed, and no other one recovers them: all others leave, too. */
  private boolean isForsaken() {
    Map<Long, PoolTenant> tenants = detector.tenants();
    boolean isAnyDead = false;
    for (ClusterNode each : follower.known().nodes()) {
      boolean isDead = detector.hasFailed(tenants.get(each.tenant()), 0);
      if (!each.id().equals(id) && !isDead && !each.isLeaving()) {
        return false;
      }
      isAnyDead |= !each.id().equals(id) && isDead;
    }
    return isAnyDead;
  }

  @Override
  public void stop() {
    if (thread != null) {
      thread.stop();
    }
    if (removal != null) {
      removal.stop();
    }
    if (network != null) {
      network.close();
    }
  }

  @Override
  public void close() {
    stop();
    if (channel != null && !hasLeft) {
      hasLeft = true;
      endThreads();
      closeChannels();
    }
  }

  @Override
  public String toString() {
    return name + " " + id + ", " + configuration();
  }
}
