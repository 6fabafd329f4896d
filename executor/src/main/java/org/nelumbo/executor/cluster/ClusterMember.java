package org.nelumbo.executor.cluster;

import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.dm.superblock.ConfigurationRegister.Content;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.Membership;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.lock.remote.LockShards;
import org.nelumbo.executor.lock.remote.ShardMap;
import org.nelumbo.executor.recovery.ComputeNodeRecovery;
import org.nelumbo.executor.table.TableStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One compute node among those that share a pool: follows the configuration, does what it asks for,
 * and changes it when members come, leave and die. A thread of its own looks at it now and then;
 * that costs one round trip, and no memory.
 *
 * <p>Thread-safe, but {@link #enter} and {@link #leave} are for one thread.
 */
public final class ClusterMember implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);

  /** Room for the table of compute nodes beside what is agreed on. */
  private static final int STAGING_BYTES = ConfigurationRegister.STAGING_BYTES + (8 << 10);

  /** Shards that are held for so many times as long are left where they are, for the time being. */
  private static final int DRAINS_MAX = 8;

  private final Environment environment;
  private final Fabric fabric;
  private final Function<PeerId, PeerNetwork> networks;
  private final Fence fence;
  private final long access;
  private final String name;
  private final Options options;

  /** Numbers of compute nodes that this one has fenced. */
  private final Set<Integer> fenced = ConcurrentHashMap.newKeySet();

  private PeerId id;
  private ComputeNodeEntry entry;
  private ClusterLocks locks;
  private BackgroundThread thread;

  // Of the thread; of whoever enters before it is started, and of whoever leaves after it has
  // ended.

  private Channel channel;
  private ConfigurationRegister register;
  private long settled;
  private volatile ClusterConfiguration known;

  /** Epoch of the last map that was looked at for shards to give away. */
  private volatile long balancedEpoch = -1;

  /**
   * Settings.
   *
   * @param pollNanos between two looks at the configuration, on average
   * @param drainNanos until those are told to end who hold locks of shards that are to move
   * @param lockBuckets of the lock table
   */
  public record Options(long pollNanos, long drainNanos, int lockBuckets) {}

  /**
   * A compute node that is no member yet.
   *
   * @param networks its network to the others, when it has its identity
   * @param fence to keep the dead out
   * @param access by which it can be kept out itself
   * @param name for people
   */
  public ClusterMember(
      Environment environment,
      Fabric fabric,
      Function<PeerId, PeerNetwork> networks,
      Fence fence,
      long access,
      String name,
      Options options) {
    this.environment = environment;
    this.fabric = fabric;
    this.networks = networks;
    this.fence = fence;
    this.access = access;
    this.name = name;
    this.options = options;
  }

  /** What is agreed on, as far as is known here; null before it has entered. */
  public ClusterConfiguration configuration() {
    return known;
  }

  /** Its identity; null before it has entered. */
  public PeerId id() {
    return id;
  }

  /**
   * Whether it is no member, or has done all that a configuration asks of it, and owns its share.
   */
  public boolean isSettled(ClusterConfiguration latest) {
    return !latest.isMember(id)
        || (known.version() == latest.version() && balancedEpoch == latest.map().epoch());
  }

  @Override
  public ClusterLocks enter(ComputeNodeEntry node, Consumer<Throwable> onBroken) {
    ClusterNode self = new ClusterNode(ClusterNode.id(node), access, name);
    channel = fabric.openChannel(STAGING_BYTES);
    entry = node;
    id = self.id();
    register = newRegister(channel);
    known =
        change(
            register,
            before -> before == null ? ClusterConfiguration.first(self) : before.with(self));
    locks =
        new ClusterLocks(
            environment,
            new LockTable(environment, options.lockBuckets()),
            networks.apply(id),
            known.map(),
            _ -> {},
            _ -> thread.wake(),
            onBroken);
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
    LOG.info("{} shares the pool: {}", id, known);
    return locks;
  }

  private ConfigurationRegister newRegister(Channel of) {
    return new ConfigurationRegister(
        environment, of, fabric.nodeBytes(0), entry.number(), fenced::contains);
  }

  private static ClusterConfiguration change(
      ConfigurationRegister register, UnaryOperator<ClusterConfiguration> change) {
    Content content =
        register.change(
            before -> {
              ClusterConfiguration old =
                  before.version() == 0 ? null : ClusterConfiguration.decode(before.bytes());
              ClusterConfiguration next = change.apply(old);
              return next == old ? null : new Content(next.version(), next.encode());
            });
    return ClusterConfiguration.decode(content.bytes());
  }

  /** Ends when this compute node is fenced, or has lost the pool: then its engine stops, too. */
  private void followUntilLost(Consumer<Throwable> onLost) {
    try {
      follow();
    } catch (FabricException e) {
      LOG.warn("{} shares the pool no longer: {}", id, e.getMessage());
      onLost.accept(e);
    }
  }

  private void follow() {
    while (!thread.isStopped()) {
      pause();
      hear();
      if (settled == known.version() && known.map().epoch() != balancedEpoch) {
        long epoch = known.map().epoch();
        balance(known.map());
        balancedEpoch = epoch; // of the map before, if something has moved
      }
    }
  }

  private void pause() {
    long nanos = options.pollNanos();
    environment.parkNanos(nanos / 2 + Math.floorMod(environment.randomLong(), nanos));
  }

  /** Looks whether there is a later configuration, and does what it asks for. */
  private void hear() {
    int mark = channel.mark();
    int version = ConfigurationRegister.postReadVersion(channel);
    int table = ComputeNodeTable.postRead(channel);
    channel.flush();
    if (channel.staging().get(ValueLayout.JAVA_LONG, version) != known.version()) {
      install(ClusterConfiguration.decode(register.read().bytes()));
    }
    settle();
    ToLongFunction<PeerId> ofMember =
        each -> ComputeNodeTable.settled(channel.staging(), table, ClusterNode.entry(each));
    if (known.advanced(ofMember) != known) {
      install(change(register, latest -> latest.advanced(ofMember)));
      settle();
    }
    channel.release(mark);
  }

  private void install(ClusterConfiguration next) {
    if (!next.isMember(id)) {
      throw new FabricException(
          0, "the other compute nodes of the pool have taken this one for dead", null);
    }
    long before = known.version();
    known = next;
    locks.install(next.map());
    next.recoveredSince(before).forEach(locks::releaseHolders);
  }

  /** Tells that there is nothing left to do for the configuration, once that is so. */
  private void settle() {
    if (settled != known.version() && locks.isDrained()) {
      settled = known.version();
      ComputeNodeTable.postSettled(channel, entry, settled);
      channel.flush();
    }
  }

  // Shards.

  /** Gives somebody who has less than its share what this one has above its own. */
  private void balance(ShardMap map) {
    int share = LockShards.COUNT / map.members().size();
    BitSet own = map.shardsOf(id);
    for (PeerId other : map.members()) {
      int room = share - map.shardsOf(other).cardinality();
      if (room > 0 && own.cardinality() > share) {
        BitSet moving = new BitSet();
        own.stream().limit(Math.min(room, own.cardinality() - share)).forEach(moving::set);
        move(moving, other, DRAINS_MAX * options.drainNanos());
        return;
      }
    }
  }

  /** Whether shards have been given to another member. */
  private boolean move(BitSet shards, PeerId to, long patienceNanos) {
    locks.freeze(shards);
    long start = environment.nanoTime();
    long waited = 0;
    while (!locks.isFree(shards) && known.isMember(to) && waited < patienceNanos) {
      environment.parkNanos(options.pollNanos());
      hear();
      waited = environment.nanoTime() - start;
      if (waited > options.drainNanos()) {
        locks.doomHolders(shards);
      }
    }
    if (locks.isFree(shards)) {
      install(change(register, latest -> latest.moved(shards, id, to)));
    }
    boolean isMoved = shards.stream().allMatch(shard -> to.equals(known.map().owner(shard)));
    if (!isMoved) {
      locks.thaw(shards);
    }
    return isMoved;
  }

  @Override
  public void leave() {
    if (locks == null || thread.isStopped()) {
      return;
    }
    thread.stop();
    thread.join();
    ClusterConfiguration latest = change(register, before -> before.left(id));
    for (int turn = 0; latest.isMember(id); turn++) {
      install(latest);
      settle();
      List<ClusterNode> others =
          known.nodes().stream().filter(each -> !each.id().equals(id)).toList();
      if (!others.isEmpty()) {
        PeerId next = others.get(turn % others.size()).id();
        move(known.map().shardsOf(id), next, DRAINS_MAX * options.drainNanos());
      }
      latest = change(register, before -> before.left(id));
    }
    channel.close();
  }

  @Override
  public void stop() {
    if (thread != null) {
      thread.stop();
    }
  }

  // The dead.

  /**
   * Removes a member that is dead, or taken for it, and recovers what it has left, unless another
   * member does; others go on working. Of one that was removed, and whose recovery another one that
   * has died had begun, the rest is done.
   *
   * @param engine of this compute node
   * @param tables all that there are
   */
  public void recover(PeerId dead, Engine engine, List<TableStore> tables) {
    ClusterNode node = latest().node(dead);
    if (node != null) {
      fence.fence(node);
      fenced.add((int) dead.incarnation());
    }
    ClusterConfiguration latest =
        changeOnce(before -> before.without(dead, id).takenOver(dead, id));
    if (latest.isRecoveredBy(dead, id)) {
      recoverRemoved(dead, engine, tables);
    }
  }

  private ClusterConfiguration latest() {
    try (Channel own = fabric.openChannel(STAGING_BYTES)) {
      return ClusterConfiguration.decode(newRegister(own).read().bytes());
    }
  }

  private void recoverRemoved(PeerId dead, Engine engine, List<TableStore> tables) {
    try (ComputeNodeRecovery recovery = new ComputeNodeRecovery(engine, ClusterNode.entry(dead))) {
      if (!recovery.isForgotten()) {
        recovery.recoverLogs();
        changeOnce(latest -> latest.recovered(dead));
        recovery.repairIndexes(tables);
        recovery.forget();
      }
    }
    changeOnce(latest -> latest.repaired(dead));
  }

  private ClusterConfiguration changeOnce(UnaryOperator<ClusterConfiguration> change) {
    try (Channel own = fabric.openChannel(STAGING_BYTES)) {
      return change(newRegister(own), change);
    } finally {
      thread.wake();
    }
  }

  @Override
  public String toString() {
    return name + " " + id + ", " + known;
  }
}
