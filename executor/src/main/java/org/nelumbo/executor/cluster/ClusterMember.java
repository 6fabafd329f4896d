package org.nelumbo.executor.cluster;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.dm.superblock.ConfigurationRegister.Content;
import org.nelumbo.executor.cache.OwnedCopies;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.Membership;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.remote.ClusterLocks;
import org.nelumbo.executor.recovery.ComputeNodeRecovery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One compute node among those that share a pool: follows the configuration, does what it asks for,
 * and changes it when members come, leave and die. A thread of its own looks at it now and then,
 * which costs one round trip.
 *
 * <p>Thread-safe, but {@link #enter} and {@link #leave} are for one thread.
 */
public final class ClusterMember implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterMember.class);

  /** Room for the table of compute nodes beside what is agreed on. */
  private static final int STAGING_BYTES = ConfigurationRegister.STAGING_BYTES + (8 << 10);

  private static final int LOOKS_PER_LEASE = 4;
  private static final long LOOK_NANOS_MAX = 250_000_000L;

  /** Time without a change after which the configuration is read less often. */
  private static final long QUIET_AFTER_NANOS = 2_000_000_000L;

  /** Factor by which the pause between two reads is longer then. */
  private static final int QUIET_POLLS = 8;

  /** Shards that are held for so many times as long are left where they are, for the time being. */
  private static final int DRAINS_MAX = 8;

  /** A statement that others wait for is stopped after so many times as long. */
  private static final int PATIENCE_DRAINS = 10;

  private final Environment environment;
  private final Fabric fabric;
  private final SharedPool pool;
  private final String name;
  private final Options options;

  /** Numbers of compute nodes that this one has fenced. */
  private final Set<Integer> fenced = ConcurrentHashMap.newKeySet();

  private PeerId id;
  private ComputeNodeEntry entry;
  private PeerNetwork network;
  private MemberSchema schema;
  private ClusterLocks locks;
  private BackgroundThread thread;

  /** When it was last looked whether who has the latch of the configuration is dead. */
  private volatile long holderLookedAt;

  /** Null until it watches the others. */
  private BackgroundThread watch;

  /** Of whoever watches. */
  private volatile SharedTables tables;

  /** Time of the last search for failed members; of the watching thread. */
  private long lookedNanos;

  // Of the thread; of whoever enters before it is started, and of whoever leaves after it has
  // ended.

  private Channel channel;
  private ConfigurationRegister register;
  private long settled;
  private boolean hasLeft;
  private long changedNanos;

  /** Earliest time of the next move of shards, after one for which some locks did not come free. */
  private long balanceAfter;

  private volatile ClusterConfiguration known;

  /** Why the configuration is not followed any more; null if it is. */
  private volatile FabricException lost;

  /** Epoch of the last map that was looked at for shards to give away. */
  private volatile long balancedEpoch = -1;

  /** Of what is known. */
  private volatile int ownedShards;

  private volatile int ownerlessShards;
  private final AtomicLong movedShards = new AtomicLong();
  private final AtomicLong recoveries = new AtomicLong();

  /** How long memory nodes had not heard of this compute node when it last asked them. */
  private volatile long silentNanos;

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
   * @param pool its way to the others, and to keep the dead out
   * @param name for people
   */
  public ClusterMember(
      Environment environment, Fabric fabric, SharedPool pool, String name, Options options) {
    this.environment = environment;
    this.balanceAfter = environment.nanoTime();
    this.fabric = fabric;
    this.pool = pool;
    this.name = name;
    this.options = options;
    this.holderLookedAt = environment.nanoTime();
  }

  /** What is agreed on, as far as is known here; null before it has entered. */
  public ClusterConfiguration configuration() {
    return known;
  }

  /** What it agrees with the others on about the schema; null before it has entered. */
  public SchemaAgreement schema() {
    return schema;
  }

  /**
   * Says if it is no member any more.
   *
   * @throws FabricException if it was fenced, or has lost the pool
   */
  void checkNotLost() {
    if (lost != null) {
      throw new FabricException(0, lost.getMessage(), lost);
    }
  }

  /** Its identity; null before it has entered. */
  public PeerId id() {
    return id;
  }

  /**
   * Whether it is no member, or has done all that a configuration asks of it, and has given away
   * what others are to have.
   */
  public boolean isSettled(ClusterConfiguration latest) {
    return known == null
        || !latest.isMember(id)
        || (known.version() == latest.version() && balancedEpoch == latest.map().epoch());
  }

  @Override
  public long tenant() {
    return pool.tenant();
  }

  @Override
  public ClusterLocks enter(
      ComputeNodeEntry node, LockTable table, OwnedCopies copies, Consumer<Throwable> onBroken) {
    ClusterNode self =
        new ClusterNode(
            ClusterNode.id(node),
            pool.tenant(),
            options.isGuest(),
            name,
            environment.epochMicros());
    channel = fabric.openChannel(STAGING_BYTES);
    entry = node;
    id = self.id();
    schema = new MemberSchema(this, fabric, options.pollNanos());
    register = newRegister(channel);
    network = pool.openPeers(id);
    know(
        change(
            register,
            before -> before == null ? ClusterConfiguration.first(self) : before.with(self)));
    locks =
        new ClusterLocks(
            environment,
            table,
            network,
            known.map(),
            copies,
            PATIENCE_DRAINS * options.drainNanos(),
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
    LOG.info("shares the pool as {}; its compute nodes are {}", id, known.names());
    LOG.debug("{} knows {}", id, known);
    return locks;
  }

  private ConfigurationRegister newRegister(Channel of) {
    return new ConfigurationRegister(
        environment, of, fabric.nodeBytes(0), entry.number(), this::isFencedIfDead);
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
      lost = e;
      onLost.accept(e);
    }
  }

  private void follow() {
    while (!thread.isStopped()) {
      pause();
      hear();
      boolean isDue = environment.nanoTime() - balanceAfter >= 0;
      if (isDue && settled == known.version() && known.map().epoch() != balancedEpoch) {
        long epoch = known.map().epoch();
        if (balance()) {
          balancedEpoch = epoch; // of the map before, if something has moved
        }
      }
    }
  }

  private void pause() {
    boolean isQuiet = environment.nanoTime() - changedNanos >= QUIET_AFTER_NANOS;
    long nanos = isQuiet ? QUIET_POLLS * options.pollNanos() : options.pollNanos();
    environment.parkNanos(nanos / 2 + Math.floorMod(environment.randomLong(), nanos));
  }

  /** Looks whether there is a later configuration, and does what it asks for. */
  private void hear() {
    int mark = channel.mark();
    int version = ConfigurationRegister.postReadVersion(channel);
    channel.flush();
    if (channel.staging().get(ValueLayout.JAVA_LONG, version) != known.version()) {
      install(ClusterConfiguration.decode(register.read().bytes()));
    }
    settle();
    if (known.awaitsMembers()) {
      advance();
    }
    channel.release(mark);
  }

  /** Looks what the members have settled, and whether something has become possible by that. */
  private void advance() {
    int table = ComputeNodeTable.postRead(channel);
    channel.flush();
    ToLongFunction<PeerId> ofMember =
        each -> ComputeNodeTable.settled(channel.staging(), table, ClusterNode.entry(each));
    if (known.advanced(ofMember) != known) {
      install(change(register, latest -> latest.advanced(ofMember)));
      settle();
    }
  }

  private void know(ClusterConfiguration next) {
    changedNanos = environment.nanoTime();
    ownedShards = next.map().shardsOf(id).cardinality();
    ownerlessShards = next.map().ownerless().cardinality();
    known = next;
  }

  private void install(ClusterConfiguration next) {
    if (!next.isMember(id)) {
      throw new FabricException(
          0, "the other compute nodes of the pool have taken this one for dead", null);
    }
    ClusterConfiguration before = known;
    know(next);
    locks.install(next.map());
    next.recoveredSince(before.version()).forEach(locks::releaseHolders);
    if (next.schema().serial() != before.schema().serial()) {
      schema.noteChange();
    }
  }

  /** Tells that there is nothing left to do for the configuration, once that is so. */
  private void settle() {
    if (settled != known.version() && locks.isDrained()) {
      settled = known.version();
      ComputeNodeTable.postSettled(channel, entry, settled);
      channel.flush();
    }
  }

  // What people see.

  /** What is known here; costs nothing. Null before it has entered. */
  public ClusterStatistics statistics() {
    ClusterConfiguration latest = known;
    if (latest == null) {
      return null;
    }
    return new ClusterStatistics(
        latest.nodes().size(),
        latest.version(),
        latest.map().epoch(),
        ownedShards,
        ownerlessShards,
        movedShards.get(),
        recoveries.get(),
        locks.counts(),
        locks.grantCount(),
        Math.max(0, silentNanos),
        pool.leaseNanos());
  }

  /** Asks the pool and its memory nodes who is there: one round trip to each. */
  public ClusterReport report() {
    ClusterConfiguration latest = known;
    Map<Long, PoolTenant> tenants = tenants();
    List<ClusterReport.Node> nodes = new ArrayList<>();
    try (Channel own = fabric.openChannel(STAGING_BYTES)) {
      int table = ComputeNodeTable.postRead(own);
      own.flush();
      for (ClusterNode each : latest.nodes()) {
        nodes.add(member(each, latest, tenants.get(each.tenant()), own.staging(), table));
      }
      latest.unfinished().forEach(each -> nodes.add(removed(each)));
      for (int each = 0; each < SuperblockLayout.COMPUTE_NODES; each++) {
        int number = ComputeNodeTable.number(own.staging(), table, each);
        ComputeNodeEntry at = new ComputeNodeEntry(number, each);
        if (number != 0 && isStranger(latest, at)) {
          long tenant = ComputeNodeTable.tenant(own.staging(), table, each);
          nodes.add(entering(number, tenants.get(tenant)));
        }
      }
    }
    return new ClusterReport(latest, nodes);
  }

  private ClusterReport.Node member(
      ClusterNode node,
      ClusterConfiguration latest,
      PoolTenant tenantOrNull,
      MemorySegment staging,
      int table) {
    ComputeNodeEntry at = ClusterNode.entry(node.id());
    long silent = silentNanos(tenantOrNull);
    boolean isHeard =
        tenantOrNull != null && tenantOrNull.isConnected() && silent < pool.leaseNanos() / 2;
    return new ClusterReport.Node(
        at.number(),
        node.name(),
        isHeard ? ClusterReport.State.MEMBER : ClusterReport.State.SILENT,
        latest.isGuest(node),
        node.joinedMicros(),
        silent,
        latest.map().shardsOf(node.id()).cardinality(),
        ComputeNodeTable.settled(staging, table, at),
        ComputeNodeTable.settledSchema(staging, table, at),
        ComputeNodeTable.horizon(staging, table, at));
  }

  private static ClusterReport.Node removed(PeerId gone) {
    return new ClusterReport.Node(
        gone.incarnation(), "", ClusterReport.State.REMOVED, false, 0, -1, 0, 0, 0, 0);
  }

  private static ClusterReport.Node entering(int number, PoolTenant tenantOrNull) {
    return new ClusterReport.Node(
        number,
        tenantOrNull == null ? "" : tenantOrNull.name(),
        ClusterReport.State.ENTERING,
        false,
        0,
        silentNanos(tenantOrNull),
        0,
        0,
        0,
        0);
  }

  /** Shards of this compute node that are about to move. */
  public BitSet movingShards() {
    return locks.frozen();
  }

  // Shards.

  /** Gives away what others are to have; false if that does not come free in time. */
  private boolean balance() {
    ShardMove next = ShardMove.next(known, id);
    return next == null || move(next.shards(), next.to());
  }

  /**
   * Places shards at a member, whose owners give them to it when they are free. They stay there
   * until it leaves or dies, or they are placed elsewhere or released.
   *
   * @param number of the member
   * @return false if there is no such member
   * @throws IllegalArgumentException if there are more runs of such shards than there is room for
   */
  public boolean placeShards(BitSet shards, long number) {
    ClusterConfiguration latest =
        changeOnce(
            before -> {
              ClusterNode to = before.node(number);
              return to == null ? before : before.placed(shards, to.id());
            });
    return latest.node(number) != null;
  }

  /** Leaves it to the compute nodes who has shards that were placed. */
  public void releaseShards(BitSet shards) {
    changeOnce(before -> before.released(shards));
  }

  /**
   * Gives shards to another member; false if the locks of some do not come free in time, which stay
   * here. These shards are not moved again before as much time has passed: meanwhile transactions
   * can lock what is in them.
   */
  private boolean move(BitSet shards, PeerId to) {
    locks.freeze(shards);
    long start = environment.nanoTime();
    long patience = DRAINS_MAX * options.drainNanos();
    long waited = 0;
    BitSet free = locks.free(shards);
    while (!free.equals(shards) && known.isMember(to) && waited < patience) {
      environment.parkNanos(options.pollNanos());
      hear();
      waited = environment.nanoTime() - start;
      if (waited > options.drainNanos()) {
        locks.doomHolders(shards);
      }
      free = locks.free(shards);
    }
    if (!free.isEmpty()) {
      BitSet moving = free;
      install(change(register, latest -> latest.moved(moving, id, to)));
      BitSet left = known.map().shardsOf(id);
      left.and(moving);
      movedShards.addAndGet(moving.cardinality() - left.cardinality());
    }
    locks.thaw(shards); // what has moved is not this one's any more
    if (!free.equals(shards)) {
      balanceAfter = environment.nanoTime() + waited;
      return false;
    }
    return true;
  }

  @Override
  public void retire() {
    end(watch);
  }

  @Override
  public void leave() {
    if (channel == null || hasLeft) {
      return;
    }
    hasLeft = true;
    end(watch);
    end(thread);
    try {
      if (locks != null) {
        leaveToOthers();
      }
    } finally {
      closeChannels();
    }
  }

  /** One that stays open keeps the connections, by which memory nodes take this one for alive. */
  private void closeChannels() {
    schema.close();
    channel.close();
  }

  private static void end(BackgroundThread threadOrNull) {
    if (threadOrNull != null) {
      threadOrNull.stop();
      threadOrNull.join();
    }
  }

  private void leaveToOthers() {
    UnaryOperator<ClusterConfiguration> leaving = before -> before.left(id);
    ClusterConfiguration latest = change(register, leaving);
    for (int turn = 0; latest.isMember(id); turn++) {
      install(latest);
      settle();
      List<PeerId> others = known.ownersBeside(id);
      if (!others.isEmpty()
          && !move(known.map().shardsOf(id), others.get(turn % others.size()))
          && !isAnyOtherAlive()) {
        LOG.warn("{} leaves the pool without a word: the others that had it are dead", id);
        return; // who attaches next has it alone, and recovers what all have left
      }
      latest = change(register, leaving);
    }
  }

  /** Whether one is left, guest or not, who could recover the others. */
  private boolean isAnyOtherAlive() {
    Map<Long, PoolTenant> tenants = tenants();
    return known.nodes().stream()
        .filter(each -> !each.id().equals(id))
        .map(each -> tenants.get(each.tenant()))
        .anyMatch(each -> !isDead(each, 0) && !isCutOff(each, 0));
  }

  @Override
  public void stop() {
    if (thread != null) {
      thread.stop();
    }
    if (watch != null) {
      watch.stop();
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
      end(watch);
      end(thread);
      closeChannels();
    }
  }

  // The dead.

  /**
   * Watches the others from now on, and removes and recovers those that are silent for longer than
   * the lease. To be called once more when more is known of the tables.
   *
   * @param engine of this compute node
   * @param known the tables
   */
  public void watch(Engine engine, SharedTables known) {
    tables = known;
    if (watch != null) {
      return;
    }
    watch =
        new BackgroundThread(
            environment,
            "nelumbo-watch",
            () -> watchUntilLost(engine),
            why -> {
              engine.stop(why);
              return false;
            });
    watch.start();
  }

  private void watchUntilLost(Engine engine) {
    try {
      while (!watch.isStopped()) {
        environment.parkNanos(lookNanos());
        if (!watch.isStopped()) {
          look(engine);
        }
      }
    } catch (FabricException e) {
      LOG.warn("{} shares the pool no longer: {}", id, e.getMessage());
      engine.stop(e);
    }
  }

  /**
   * Looks who is there first, and then whom memory nodes have heard of: who enters is known to
   * these before to anybody else.
   */
  private void look(Engine engine) {
    ClusterConfiguration seen = known;
    Map<ComputeNodeEntry, Long> entries = entries();
    Map<Long, PoolTenant> tenants = tenants();
    silentNanos = silentNanos(tenants.get(pool.tenant()));
    int rank = seen.map().members().indexOf(id);
    List<PeerId> dead = removeDead(seen, tenants);
    dead.addAll(seen.abandoned());
    entries.forEach(
        (each, tenant) -> {
          if (tenant != pool.tenant() && isDead(tenants.get(tenant), rank)) {
            removeStranger(each, tenant);
          }
        });
    tenants.keySet().removeAll(entries.values());
    for (PoolTenant each : tenants.values()) {
      if (each.id() != pool.tenant() && isDead(each, rank)) {
        pool.fence(each.id()); // it has died before it had an entry
      }
    }
    dead.addAll(seen.unrecovered(id));
    dead.forEach(each -> recover(each, engine));
    seen.unrepaired(id).forEach(each -> repair(each, engine));
  }

  /**
   * Fences and removes all members that are dead, or taken for it, before any of them is recovered:
   * as long as one is not fenced, others wait for what it holds.
   */
  private List<PeerId> removeDead(ClusterConfiguration seen, Map<Long, PoolTenant> tenants) {
    lookedNanos = environment.nanoTime();
    List<PeerId> dead = new ArrayList<>();
    int rank = seen.map().members().indexOf(id);
    for (ClusterNode each : seen.nodes()) {
      PoolTenant tenant = tenants.get(each.tenant());
      if (!each.id().equals(id) && (isDead(tenant, rank) || isCutOff(tenant, rank))) {
        LOG.warn("{} {} is silent, and taken for dead", each.name(), each.id());
        remove(each.id());
        dead.add(each.id());
      }
    }
    return dead;
  }

  /** Looks for members that are dead while one that has failed before is repaired. */
  private void lookBetweenRepairs() {
    if (environment.nanoTime() - lookedNanos >= lookNanos()) {
      removeDead(known, tenants());
    }
  }

  private long lookNanos() {
    return Math.min(pool.leaseNanos() / LOOKS_PER_LEASE, LOOK_NANOS_MAX);
  }

  private static long silentNanos(PoolTenant tenantOrNull) {
    return tenantOrNull == null ? -1 : tenantOrNull.silentNanos();
  }

  /** The table of compute nodes, and which tenants they are. */
  private Map<ComputeNodeEntry, Long> entries() {
    try (Channel own = fabric.openChannel(STAGING_BYTES)) {
      int table = ComputeNodeTable.postRead(own);
      own.flush();
      Map<ComputeNodeEntry, Long> entries = new LinkedHashMap<>();
      for (int each = 0; each < SuperblockLayout.COMPUTE_NODES; each++) {
        long tenant = ComputeNodeTable.tenant(own.staging(), table, each);
        if (tenant != 0) {
          int number = ComputeNodeTable.number(own.staging(), table, each);
          entries.put(new ComputeNodeEntry(number, each), tenant);
        }
      }
      return entries;
    }
  }

  /**
   * Whether a tenant is taken for dead.
   *
   * @param rank of who asks: the lower is the first to notice, so that not all fence at once
   */
  private boolean isDead(PoolTenant tenantOrNull, int rank) {
    long lease = pool.leaseNanos();
    return tenantOrNull == null
        || tenantOrNull.silentNanos() > lease + lease / LOOKS_PER_LEASE * rank;
  }

  /**
   * Whether a member has lost its connections to a memory node: its process has ended, or cannot
   * use the pool any more. They are never opened again.
   */
  private boolean isCutOff(PoolTenant tenant, int rank) {
    long patience = SharedPool.cutOffNanos(pool.leaseNanos());
    return !tenant.isConnected() && tenant.silentNanos() > patience * (rank + 1);
  }

  /** Frees the entry of one that has died before it was a member, or after it had left. */
  private void removeStranger(ComputeNodeEntry stranger, long tenant) {
    if (!isStranger(latest(), stranger)) {
      return;
    }
    pool.fence(tenant);
    fenced.add(stranger.number());
    try (Channel own = fabric.openChannel(STAGING_BYTES)) {
      change(
          newRegister(own),
          before -> {
            if (isStranger(before, stranger)
                && ComputeNodeTable.isOf(own, stranger.entry(), tenant)) {
              ComputeNodeTable.leave(own, stranger);
            }
            return before;
          });
    }
  }

  /**
   * Whether a compute node that has the latch of the configuration is fenced: if it has died with
   * it, that is done here. Who waits for the latch asks again and again; another thread of this
   * compute node may have it.
   */
  private boolean isFencedIfDead(int number) {
    if (fenced.contains(number)) {
      return true;
    }
    long now = environment.nanoTime();
    if (number == entry.number() || now - holderLookedAt < pool.leaseNanos() / LOOKS_PER_LEASE) {
      return false;
    }
    holderLookedAt = now;
    Long holder = null;
    for (Map.Entry<ComputeNodeEntry, Long> each : entries().entrySet()) {
      holder = each.getKey().number() == number ? each.getValue() : holder;
    }
    if (holder == null || !isDead(tenants().get(holder), 0)) {
      return false;
    }
    pool.fence(holder);
    fenced.add(number);
    return true;
  }

  private Map<Long, PoolTenant> tenants() {
    Map<Long, PoolTenant> tenants = new HashMap<>();
    pool.tenants().forEach(each -> tenants.put(each.id(), each));
    return tenants;
  }

  private static boolean isStranger(ClusterConfiguration latest, ComputeNodeEntry entry) {
    return !latest.isMember(ClusterNode.id(entry)) && !latest.isBeingRemoved(entry.number());
  }

  /** Fences a member, and takes it out of the configuration. */
  private void remove(PeerId dead) {
    ClusterNode node = latest().node(dead);
    if (node != null) {
      pool.fence(node.tenant());
      fenced.add((int) dead.incarnation());
    }
    changeOnce(before -> before.without(dead, id));
  }

  /**
   * Recovers what a member that was removed has left, unless another member does; others go on
   * working. If another one that has died had begun that, the rest is done.
   */
  private void recover(PeerId dead, Engine engine) {
    ClusterConfiguration latest = changeOnce(before -> before.takenOver(dead, id));
    if (latest.isRecoveredBy(dead, id)) {
      recoveries.incrementAndGet();
      recoverRemoved(dead, engine);
    }
  }

  private ClusterConfiguration latest() {
    try (Channel own = fabric.openChannel(STAGING_BYTES)) {
      return ClusterConfiguration.decode(newRegister(own).read().bytes());
    }
  }

  /**
   * What is repaired before anything else is what the schema is read from: the dead one may have
   * known tables that are not known here yet.
   */
  private void recoverRemoved(PeerId dead, Engine engine) {
    try (ComputeNodeRecovery recovery = new ComputeNodeRecovery(engine, ClusterNode.entry(dead))) {
      if (!recovery.isForgotten()) {
        recovery.recoverLogs();
        changeOnce(latest -> latest.recovered(dead));
        recovery.repairIndexes(tables.catalogue(), this::lookBetweenRepairs);
      }
    }
    changeOnce(latest -> latest.recovered(dead)); // if another one that has died had not said so
    repair(dead, engine);
  }

  /** Removes what is left of a dead one, if all tables it may have known are known here. */
  private void repair(PeerId dead, Engine engine) {
    ClusterConfiguration latest = latest();
    if (!latest.unrepaired(id).contains(dead)) {
      return;
    }
    boolean isDone = true;
    try (ComputeNodeRecovery recovery = new ComputeNodeRecovery(engine, ClusterNode.entry(dead))) {
      if (!recovery.isForgotten()) {
        isDone =
            tables.use(
                latest.schema().version(),
                stores -> recovery.repairIndexes(stores, this::lookBetweenRepairs));
        if (isDone) {
          recovery.forget();
        }
      }
    }
    if (isDone) {
      changeOnce(before -> before.repaired(dead));
    }
  }

  ClusterConfiguration changeOnce(UnaryOperator<ClusterConfiguration> change) {
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
