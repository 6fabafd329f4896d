package org.nelumbo.simulation.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.SharedTables;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.recovery.PoolRecovery;
import org.nelumbo.executor.recovery.RecoveryReport;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Epochs;
import org.nelumbo.executor.timestamp.HybridClock;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.instrument.Injected;
import org.nelumbo.simulation.instrument.InstrumentedLoader;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The production engine on the pool of a world, with table T. Its methods are called by simulated
 * threads. It is never closed: it ends with its world.
 */
public final class Cluster {
  /** A factory of exclusive engines. Tests pass engines with a broken part. */
  @FunctionalInterface
  public interface EngineFactory {
    /** The unmodified engine. */
    EngineFactory PRODUCTION = Engine::new;

    /** The unmodified engine, with a lock table that is verified after every operation. */
    EngineFactory VERIFIED =
        (environment, fabric, options) -> {
          Clock clock = new HybridClock(environment);
          return new Engine(
              environment,
              fabric,
              options,
              clock,
              new Epochs(environment, clock, options.snapshotRetentionNanos()),
              new VerifyingLockTable(environment, options.lockBuckets()));
        };

    Engine open(Environment environment, Fabric fabric, EngineOptions options);
  }

  /**
   * One in this many transactions is followed by a verification, which takes longer than a
   * transaction.
   */
  private static final int VERIFIED_ONE_IN = 16;

  /** Lock buckets in a shared pool: large enough that the lock table does not overflow. */
  private static final int SHARED_LOCK_BUCKETS = 512;

  private static final long BALANCE_POLL_NANOS = 100_000;

  private final SimPool pool;
  private final SimNode node;
  private final ClusterOptions options;

  /** All compute nodes of the pool, including this one. */
  private final List<Cluster> together;

  private final LocalDatabase database;
  private final Engine engine;
  private final TableStore table;
  private final long liveBytesBefore;
  private final boolean verified;
  private final long epoch;

  /** Null in an exclusive pool. */
  private final Share share;

  /** Native API only. */
  private int rebuiltIndexes;

  private int transactionsEnded;
  private boolean isDoubtful;

  private record Share(SimMembers members, ClusterMember member) {
    /** Prepares the copies for other compute nodes; returns the member. */
    ClusterMember prepared() {
      members.shareCopies();
      return member;
    }
  }

  private Cluster(
      SimPool pool,
      SimNode node,
      List<Cluster> together,
      ClusterOptions options,
      LocalDatabase database,
      Engine engine,
      TableStore table,
      long liveBytesBefore,
      boolean verified,
      Share share) {
    this.pool = pool;
    this.share = share;
    this.node = node;
    this.together = together;
    this.options = options;
    this.database = database;
    this.engine = engine;
    this.table = table;
    this.liveBytesBefore = liveBytesBefore;
    this.verified = verified;
    this.epoch = pool.epoch();
    together.add(this);
  }

  /**
   * Formats the pool, starts the engine on a compute node and creates the table. If there are to be
   * several compute nodes, they can {@linkplain #join join} this one. The engine is verified after
   * some of the transactions.
   */
  public static Cluster open(SimPool pool, SimNode node, ClusterOptions options) {
    if (options.api() == Api.NATIVE) {
      return openNative(pool, node, options, EngineFactory.VERIFIED);
    }
    return openSql(pool, node, options, null);
  }

  /** Opens a cluster for the native API, with an engine that the factory creates. */
  public static Cluster open(
      SimPool pool, SimNode node, ClusterOptions options, EngineFactory engines) {
    return openNative(pool, node, options, engines);
  }

  private static Cluster openNative(
      SimPool pool, SimNode node, ClusterOptions options, EngineFactory engines) {
    Environment environment = node.environment();
    Fabric attachment = pool.attach(node);
    Fabric attached = new FailStopFabric(attachment);
    PoolFormat.format(attached, environment.randomLong());
    Share share = newShare(pool, node, options, attachment, attached);
    Engine engine = engines.open(environment, attached, engineOptions(options));
    boolean verified = engines == EngineFactory.VERIFIED;
    if (share != null) {
      FreeSpaceMap memory = engine.leaveToMembers();
      engine = join(environment, engine.fabric(), options, share.prepared(), verified);
      engine.restore(memory, memory.timestamp());
    }
    engine.start();
    long live = engine.poolUsage().liveBytes();
    TableStore table = RowTable.create(engine, options);
    return new Cluster(
        pool, node, new ArrayList<>(), options, null, engine, table, live, verified, share);
  }

  private static Share share(SimMembers members, SimNode node, Fabric attachment, Fabric attached) {
    return new Share(members, members.newMember(node, attachment, attached));
  }

  /** Returns null if the pool is exclusive. */
  private static Share newShare(
      SimPool pool, SimNode node, ClusterOptions options, Fabric attachment, Fabric attached) {
    return options.computeNodes() == 1
        ? null
        : share(new SimMembers(pool.world(), pool, options), node, attachment, attached);
  }

  private static Engine join(
      Environment environment,
      Fabric attached,
      ClusterOptions options,
      ClusterMember member,
      boolean verified) {
    EngineOptions own = engineOptions(options);
    return verified
        ? Engine.join(
            environment,
            attached,
            own,
            member,
            new VerifyingLockTable(environment, own.lockBuckets()))
        : Engine.join(environment, attached, own, member);
  }

  /** Joins another compute node to the shared pool. */
  public Cluster join(SimNode other) {
    Environment environment = other.environment();
    Fabric attachment = pool.attach(other);
    Fabric attached = new FailStopFabric(attachment);
    Share entering = share(share.members, other, attachment, attached);
    if (database != null) {
      return joinSql(pool, other, together, options, attached, liveBytesBefore, entering);
    }
    Engine joined = join(environment, attached, options, entering.member, verified);
    joined.start();
    TableStore opened = RowTable.open(joined, table, options);
    return new Cluster(
        pool, other, together, options, null, joined, opened, liveBytesBefore, verified, entering);
  }

  /** Makes this compute node remove and recover members that miss heartbeats. */
  public void watch() {
    if (database != null) {
      return; // a database does so anyway
    }
    watch(() -> List.of(table));
  }

  /**
   * Makes this compute node remove and recover such members in a pool with other tables; native API
   * only.
   */
  public void watch(Supplier<List<TableStore>> tables) {
    share.member.watch(engine, SharedTables.of(tables));
  }

  /** Pins some shards by hand; called on this compute node. */
  public void pinShards() {
    share.members.pinShards(share.member);
  }

  /** Returns true if the memory nodes serve this compute node. */
  public boolean isServed() {
    return share.members.isServed(share.member);
  }

  /** Returns true if every shard has an owner, and no compute node is being recovered. */
  public boolean isWhole() {
    return share.members.isWhole();
  }

  /** Removes a failed compute node: its sessions are not used again. */
  public void mourn(Cluster dead) {
    together.remove(dead);
  }

  /**
   * Removes compute nodes whose loss of the pool has not been detected; their sessions are not used
   * again.
   */
  public void mournLost() {
    together.removeIf(Cluster::isLost);
  }

  private boolean isLost() {
    return isStopped() || share != null && !share.members.isConnected(share.member);
  }

  /**
   * Releases the pool of a stopped engine as production does, even if other sessions are active.
   */
  public void letGo() {
    if (database != null) {
      database.isOpen();
    }
  }

  /** Returns true if the other members have removed this compute node. */
  public boolean isGone() {
    return share.members.isGone(share.member);
  }

  /** Waits until no locks are about to move, and no state of failed compute nodes is left. */
  public void awaitBalance() {
    while (engine.isShared() && (!share.members.isBalanced() || hasStrangers())) {
      world().sleepUntil(world().now() + BALANCE_POLL_NANOS);
    }
  }

  private boolean hasStrangers() {
    try (Channel channel = engine.fabric().openChannel(SuperblockLayout.LENGTH)) {
      int table = ComputeNodeTable.postRead(channel);
      channel.flush();
      int entries = 0;
      for (int entry = 0; entry < SuperblockLayout.COMPUTE_NODES; entry++) {
        entries += ComputeNodeTable.tenant(channel.staging(), table, entry) == 0 ? 0 : 1;
      }
      return entries != together.size();
    }
  }

  /** Leaves the pool to the other members in order; no session is open. */
  public void leave() {
    SimMembers.Given given = share.members.given(share.member);
    if (database == null) {
      engine.close();
    } else {
      database.close();
    }
    share.members.checkGiven(share.member, given);
    together.remove(this);
    share.members.left().add(engine.poolUsage());
  }

  /** Returns the pool memory held by compute nodes that have left. */
  PoolUsage left() {
    return share == null ? new PoolUsage() : share.members.left();
  }

  /** Returns the compute nodes that share the pool. */
  public List<Cluster> together() {
    return Collections.unmodifiableList(together);
  }

  public SimNode node() {
    return node;
  }

  private static EngineOptions engineOptions(ClusterOptions options) {
    return EngineOptions.DEFAULT
        .withMemoryBytes(options.nodeBytes())
        .withLockBuckets(options.computeNodes() == 1 ? options.lockBuckets() : SHARED_LOCK_BUCKETS)
        .withConflictPolicy(options.policy())
        .withLockTimeoutNanos(options.lockTimeout())
        .withSnapshotRetentionNanos(options.retention())
        .withCachedCvts(options.cachedCvts())
        .withRecordCacheBytes(options.recordCacheBytes())
        .withClock(options.clock());
  }

  /**
   * Makes another compute node take over and recover the pool, as production does on attach; this
   * one is fenced from then on.
   *
   * @throws org.nelumbo.dm.pool.FabricException if the pool was lost during the takeover
   */
  public Cluster attach(SimNode node) {
    return attach(node, verified ? EngineFactory.VERIFIED : EngineFactory.PRODUCTION);
  }

  /** Attaches another compute node for the native API, with an engine that the factory creates. */
  public Cluster attach(SimNode node, EngineFactory engines) {
    Environment environment = node.environment();
    if (database != null) {
      return openSql(pool, node, options, this);
    }
    Fabric attached = new FailStopFabric(pool.takeOver(node));
    PoolOwner.take(attached, node.name(), environment.epochMicros());
    Engine other = engines.open(environment, attached, engineOptions(options));
    PoolRecovery recovery = new PoolRecovery(other);
    TableStore recovered = RowTable.open(other, table, options);
    recovery.recover(recovered);
    RecoveryReport report = recovery.finish();
    other.start();
    Cluster next =
        new Cluster(
            pool,
            node,
            new ArrayList<>(),
            options,
            null,
            other,
            recovered,
            liveBytesBefore,
            verified,
            null);
    next.rebuiltIndexes = report.rebuiltIndexes();
    return next;
  }

  /** Returns true if the takeover used free memory to rebuild torn indexes. */
  boolean hasRebuiltIndexes() {
    if (database == null) {
      return rebuiltIndexes > 0;
    }
    RecoveryReport recovery = database.statistics().attach().recovery();
    return recovery != null && recovery.rebuiltIndexes() > 0;
  }

  @SuppressWarnings("try") // the session only has to be open
  private static long liveBytes(LocalDatabase database) {
    try (NativeSession session = database.openNative()) {
      return database.engine().poolUsage().liveBytes();
    }
  }

  private static DatabaseOptions databaseOptions(ClusterOptions options) {
    return DatabaseOptions.defaults()
        .withMemoryBytes(options.nodeBytes())
        .withSnapshotRetention(Duration.ofNanos(options.retention()));
  }

  private static Cluster joinSql(
      SimPool pool,
      SimNode node,
      List<Cluster> together,
      ClusterOptions options,
      Fabric attached,
      long liveBytesBefore,
      Share share) {
    LocalDatabase database =
        DatabaseOpener.join(
            databaseOptions(options), node.environment(), "", attached, share.member);
    return new Cluster(
        pool,
        node,
        together,
        options,
        database,
        database.engine(),
        null,
        liveBytesBefore,
        true,
        share);
  }

  private static Cluster openSql(
      SimPool pool, SimNode node, ClusterOptions options, Cluster before) {
    Fabric attachment = pool.takeOver(node);
    Fabric attached = new FailStopFabric(attachment);
    Share share = before == null ? newShare(pool, node, options, attachment, attached) : null;
    LocalDatabase database =
        DatabaseOpener.attach(
            databaseOptions(options),
            node.environment(),
            node.name(),
            "",
            () -> attached,
            share == null ? null : _ -> share.prepared());
    if (!database.damagedTables().isEmpty()) {
      throw new IllegalStateException("the pool is broken: " + database.damagedTables());
    }
    long live = before == null ? 0 : before.liveBytesBefore;
    if (before == null) {
      live = liveBytes(database);
    }
    createIfMissing(database, options);
    return new Cluster(
        pool,
        node,
        new ArrayList<>(),
        options,
        database,
        database.engine(),
        null,
        live,
        true,
        share);
  }

  /**
   * Creates the table if it is missing: at first, and after a client that had dropped it was
   * stopped.
   */
  public static void createIfMissing(LocalDatabase database, ClusterOptions options) {
    try (NativeSession session = database.openNative()) {
      session.table("T");
    } catch (NelumboException e) {
      if (e.code() != ErrorCode.NO_SUCH_TABLE) {
        throw e;
      }
      try (SchemaSession session =
          new SchemaSession(database.connect(SessionOptions.defaults()), options)) {
        session.create();
      }
    }
  }

  /** Returns a session on table T of a database outside of a cluster; the caller closes it. */
  public static ClusterSession sessionOf(LocalDatabase database, ClusterOptions options) {
    return new LossTrackingSession(
        new SqlClusterSession(database.connect(sessionOptions(options)), options));
  }

  static void run(Session session, String statement) {
    try (var execution = session.newExecution(session.prepare(statement))) {
      execution.executeUpdate();
    }
  }

  public SimWorld world() {
    return pool.world();
  }

  public SimPool pool() {
    return pool;
  }

  public ClusterOptions options() {
    return options;
  }

  public Engine engine() {
    return engine;
  }

  /** Returns the current table; schema changes replace it. */
  public TableStore table() {
    if (database == null) {
      return table;
    }
    try (NativeSession session = database.openNative()) {
      return session.table("T").store();
    }
  }

  /** Returns the bytes of the pool that were in use before the table was created. */
  long liveBytesBefore() {
    return liveBytesBefore;
  }

  /**
   * Reads a word of each memory node.
   *
   * @throws org.nelumbo.dm.pool.FabricException if the pool is lost
   */
  public void touchAllNodes() {
    try (Channel channel = engine.fabric().openChannel(Long.BYTES)) {
      for (int node = 0; node < engine.fabric().nodeCount(); node++) {
        channel.read(PoolAddress.of(node, 0), 0, Long.BYTES);
      }
      channel.flush();
    }
  }

  /** Returns a session for another client; the caller closes it. */
  public ClusterSession newSession() {
    ClusterSession session = new LossTrackingSession(newBareSession());
    return verified ? new VerifyingSession(session, this) : session;
  }

  private ClusterSession newBareSession() {
    if (database == null) {
      return new NativeClusterSession(
          engine.openCoordinator(),
          table,
          new SnapshotAge(world()::now, options.retention()),
          options.addressLikeKeys());
    }
    for (int attempt = 0; ; attempt++) {
      Session session = database.connect(sessionOptions());
      try {
        return new SqlClusterSession(session, options);
      } catch (NelumboException e) {
        if (e.code() != ErrorCode.NO_SUCH_TABLE || !options.schema().isChanging()) {
          throw e;
        }
        session.close();
        node.environment().backoff(attempt); // the table is dropped and created again
      }
    }
  }

  /**
   * Returns a session that changes the table definition; the cluster must have been opened for SQL.
   */
  public SchemaSession newSchemaSession() {
    return new SchemaSession(database.connect(sessionOptions()), options);
  }

  private SessionOptions sessionOptions() {
    return sessionOptions(options);
  }

  private static SessionOptions sessionOptions(ClusterOptions options) {
    return SessionOptions.defaults()
        .withConflictPolicy(options.policy())
        .withLockTimeout(Duration.ofNanos(options.lockTimeout()));
  }

  /**
   * Counts the end of a transaction. After some of them it checks lock table and cached CVTs
   * against each other and against the pool, unless another compute node has taken the pool over.
   * Takes no virtual time.
   *
   * @throws IllegalStateException if a check fails
   */
  void transactionEnded() {
    transactionsEnded++;
    if (share != null) {
      share.members.checkOwned();
    }
    if (transactionsEnded % VERIFIED_ONE_IN == 0
        && pool.canPeek()
        && pool.epoch() == epoch
        && !isStopped()
        && (share == null || share.members.isServed(share.member))) {
      verify();
    }
  }

  /** Returns true if all members send heartbeats, and no state of a failed one is left. */
  public boolean areAllAtWork() {
    return engine.isShared() && share.members.areAllAtWork();
  }

  /**
   * Checks that the engine has not stopped.
   *
   * @throws Violation with the reason for which it has
   */
  public void checkNotStopped() {
    try {
      engine.checkNotStopped();
    } catch (NelumboException e) {
      throw new Violation("the engine of a compute node has stopped " + node.name(), e.getCause());
    }
  }

  /**
   * Returns true if the engine has stopped. If an injected throwable prevents the check, it counts
   * as stopped.
   */
  public boolean isStopped() {
    try {
      return engine.isStopped();
    } catch (RuntimeException | Error e) {
      if (Injected.isCauseOf(e)) {
        return true;
      }
      throw e;
    }
  }

  /**
   * Where throwables are injected, the first failure may be caused by a request that was just
   * interrupted: the engine stops when the locks of that request are released. It must have stopped
   * before the next verification.
   */
  private void verify() {
    try {
      engine.verify(pool::peek);
      isDoubtful = false;
    } catch (IllegalStateException e) {
      if (isDoubtful || !InstrumentedLoader.isInside(Cluster.class)) {
        throw e;
      }
      isDoubtful = true;
    }
  }

  private static void checkChildren(Session session) {
    long rows = count(session, "SELECT COUNT(*) FROM T");
    long children = count(session, "SELECT COUNT(*) FROM C");
    long pairs =
        count(session, "SELECT COUNT(*) FROM T JOIN C ON C.PARENT = T.ID AND C.VAL = T.VAL");
    if (children != rows || pairs != rows) {
      throw new Violation(
          "rows and their children differ rows="
              + rows
              + " children="
              + children
              + " pairs="
              + pairs);
    }
  }

  private static long count(Session session, String query) {
    try (var execution = session.newExecution(session.prepare(query))) {
      execution.executeQuery();
      execution.next();
      return execution.longAt(0);
    }
  }

  /** Drops the table; no client uses it. */
  void dropTable() {
    if (database == null) {
      try (Coordinator coordinator = engine.openCoordinator()) {
        engine.tables().drop(coordinator, table);
      }
    } else {
      try (Session session = database.connect(SessionOptions.defaults())) {
        if (options.schema().child()) {
          checkChildren(session);
          run(session, "DROP TABLE C");
        }
        run(session, "DROP TABLE T");
      }
    }
  }
}
