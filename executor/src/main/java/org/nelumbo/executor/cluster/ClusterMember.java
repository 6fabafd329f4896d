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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One compute node among those that share a pool. Its parts are
 *
 * <ul>
 *   <li>{@link SharedConfiguration}, which reads and changes the configuration in the pool;
 *   <li>{@link ConfigurationFollower} and {@link ShardBalancer}, which install each configuration
 *       and move shards, on a thread of this object;
 *   <li>{@link FailureDetector}, which finds failed compute nodes, and {@link NodeRemoval}, which
 *       fences, removes and recovers them, on a thread of its own.
 * </ul>
 *
 * <p>Thread-safe, but {@link #enter} and {@link #leave} are for one thread.
 */
public final class ClusterMember implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);

  /** Drain times after which a statement that others wait for is stopped. */
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

  /** For the thread; for {@link #enter} before that is started, for {@link #leave} afterwards. */
  private Channel channel;

  private boolean hasLeft;

  /** Set when all other parts are there. */
  private volatile ConfigurationFollower follower;

  /** Why the configuration is not followed any more; null if it is. */
  private volatile FabricException lost;

  /**
   * Settings.
   *
   * @param pollNanos between two looks at the configuration, on average
   * @param drainNanos until those are told to end who hold locks of shards that are to move
   * @param isGuest whether it owns shards only if all members are guests
   */
  public record Options(long pollNanos, long drainNanos, boolean isGuest) {
    /** For processes on one network. */
    public static final Options DEFAULT = new Options(5_000_000, 100_000_000, false);

    /** Of a guest or not. */
    public Options withGuest(boolean value) {
      return new Options(pollNanos, drainNanos, value);
    }
  }

  /**
   * A compute node that is no member yet.
   *
   * @param pool its way to the others, and to fence failed ones
   * @param name for people
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

  /** Returns the configuration that is known here; null before it has entered. */
  public ClusterConfiguration configuration() {
    return follower == null ? null : follower.known();
  }

  /** Returns its part in the agreement on the schema; null before it has entered. */
  public SchemaAgreement schema() {
    return schema;
  }

  private void checkNotLost() {
    if (lost != null) {
      throw new FabricException(0, lost.getMessage(), lost);
    }
  }

  /** Returns its identity; null before it has entered. */
  public PeerId id() {
    return id;
  }

  /**
   * Returns true if it is no member, or has done all that a configuration asks of it, and has given
   * away what others are to have.
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
      ComputeNodeEntry node, LockTable table, OwnedCopies copies, Consumer<Throwable> onBroken) {
    id = ClusterNode.id(node);
    ClusterNode self =
        new ClusterNode(id, pool.tenant(), options.isGuest(), name, environment.epochMicros());
    shared = new SharedConfiguration(environment, fabric, node, detector, () -> thread.wake());
    channel = shared.openChannel();
    schema =
        new MemberSchema(
            shared, fabric, id, this::configuration, this::checkNotLost, options.pollNanos());
    ConfigurationRegister register = shared.register(channel);
    network = pool.openPeers(id);
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
        new ConfigurationFollower(environment, channel, register, first, locks, schema, id);
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
    LOG.info("shares the pool as {}; its compute nodes are {}", id, first.names());
    LOG.debug("{} knows {}", id, first);
    return locks;
  }

  /** Ends when this compute node is fenced, or has lost the pool: then its engine stops, too. */
  private void followUntilLost(Consumer<Throwable> onLost) {
    try {
      while (!thread.isStopped()) {
        follower.pause();
        follower.hear();
        balancer.balanceIfDue();
      }
    } catch (FabricException e) {
      LOG.warn("{} shares the pool no longer: {}", id, e.getMessage());
      lost = e;
      onLost.accept(e);
    }
  }

  /** Returns what is known here without a round trip; null before it has entered. */
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

  /** Asks the pool and its memory nodes which compute nodes there are: one round trip to each. */
  public ClusterReport report() {
    return ClusterReport.of(configuration(), shared, detector, pool.leaseNanos());
  }

  /** Returns the shards of this compute node that are about to move. */
  public BitSet movingShards() {
    return locks.frozen();
  }

  /**
   * Places shards at a member, whose owners give them to it when they are free. They stay there
   * until it leaves or fails, or they are placed elsewhere or released.
   *
   * @param number of the member
   * @return false if there is no such member, or it is about to leave
   * @throws IllegalArgumentException if there are more runs of such shards than there is room for
   */
  public boolean placeShards(BitSet shards, long number) {
    ClusterConfiguration latest =
        changeOnce(
            before -> {
              ClusterNode to = before.node(number);
              return to == null ? before : before.placed(shards, to.id());
            });
    return latest.isStaying(number);
  }

  /** Lets the members share shards again that were placed. */
  public void releaseShards(BitSet shards) {
    changeOnce(before -> before.released(shards));
  }

  ClusterConfiguration changeOnce(UnaryOperator<ClusterConfiguration> change) {
    return shared.change(change);
  }

  /**
   * Watches the others from now on, and removes and recovers those that are silent for longer than
   * the lease. To be called once more when more is known of the tables.
   *
   * @param engine of this compute node
   * @param tables that are known
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

  /** One that stays open keeps the connections, by which memory nodes take this one for alive. */
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
          && !isAnyOtherAlive()) {
        LOG.warn("{} leaves the pool without a word: the others that had it are dead", id);
        return; // who attaches next has it alone, and recovers what all have left
      }
      latest = follower.change(leaving);
    }
  }

  /** Returns true if a member is left, guest or not, which could recover the others. */
  private boolean isAnyOtherAlive() {
    Map<Long, PoolTenant> tenants = detector.tenants();
    return follower.known().nodes().stream()
        .filter(each -> !each.id().equals(id))
        .anyMatch(each -> !detector.hasFailed(tenants.get(each.tenant()), 0));
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
