package org.nelumbo.executor.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.LostMemory;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.recovery.ComputeNodeRecovery;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes failed compute nodes on behalf of one member, on a thread of its own: fences them,
 * removes them from the configuration, and recovers what they have left.
 */
final class NodeRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRemoval.class);

  private final Environment environment;
  private final SharedPool pool;
  private final SharedConfiguration shared;
  private final FailureDetector detector;
  private final PeerId id;
  private final Supplier<ClusterConfiguration> known;
  private final AtomicLong recoveries = new AtomicLong();
  private BackgroundThread thread;
  private volatile SharedTables tables;

  /** Confined to the thread. */
  private long lookedNanos;

  /** Silence of this compute node at the memory nodes, at the last search. */
  private volatile long silentNanos;

  /**
   * Creates a removal whose thread is not running.
   *
   * @param id identity of this member
   * @param known returns the configuration that is installed locally
   */
  NodeRemoval(
      Environment environment,
      SharedPool pool,
      SharedConfiguration shared,
      FailureDetector detector,
      PeerId id,
      Supplier<ClusterConfiguration> known) {
    this.environment = environment;
    this.pool = pool;
    this.shared = shared;
    this.detector = detector;
    this.id = id;
    this.known = known;
  }

  /** Starts the thread, or lets it continue with more tables. */
  void begin(Engine engine, SharedTables knownTables) {
    tables = knownTables;
    if (thread != null) {
      return;
    }
    thread =
        new BackgroundThread(
            environment,
            "nelumbo-watch",
            () -> watchUntilLost(engine),
            why -> {
              engine.stop(why);
              return false;
            });
    thread.start();
  }

  /** Stops the thread soon. */
  void stop() {
    if (thread != null) {
      thread.stop();
    }
  }

  /** Stops the thread and waits for it. */
  void end() {
    if (thread != null) {
      thread.stop();
      thread.join();
    }
  }

  long recoveries() {
    return recoveries.get();
  }

  long silentNanos() {
    return silentNanos;
  }

  private void watchUntilLost(Engine engine) {
    try {
      while (!thread.isStopped()) {
        environment.parkNanos(detector.lookNanos());
        if (!thread.isStopped()) {
          look(engine);
        }
      }
    } catch (FabricException e) {
      LOG.warn("{} no longer shares the pool: {}", id, e.getMessage());
      engine.stop(e);
    }
  }

  /**
   * Reads the table of compute nodes before it queries the memory nodes: a joining compute node is
   * a tenant of these before it has an entry.
   */
  private void look(Engine engine) {
    ClusterConfiguration seen = known.get();
    Map<ComputeNodeEntry, Long> entries = detector.entries();
    Map<Long, PoolTenant> tenants = detector.tenants();
    silentNanos = FailureDetector.silentNanos(tenants.get(pool.tenant()));
    int rank = seen.map().members().indexOf(id);
    List<PeerId> dead = removeDead(seen, tenants);
    dead.addAll(seen.abandoned());
    entries.forEach(
        (each, tenant) -> {
          if (tenant != pool.tenant() && detector.isDead(tenants.get(tenant), rank)) {
            removeStranger(each, tenant);
          }
        });
    tenants.keySet().removeAll(entries.values());
    for (PoolTenant each : tenants.values()) {
      if (each.id() != pool.tenant() && detector.isDead(each, rank)) {
        pool.fence(each.id()); // it has failed before it had an entry
      }
    }
    dead.addAll(seen.unrecovered(id));
    dead.forEach(each -> recover(each, engine));
    seen.unrepaired(id).forEach(each -> repair(each, engine));
  }

  /**
   * All failed members are fenced and removed before any is recovered: other compute nodes wait for
   * what an unfenced one holds.
   */
  private List<PeerId> removeDead(ClusterConfiguration seen, Map<Long, PoolTenant> tenants) {
    lookedNanos = environment.nanoTime();
    List<PeerId> dead = new ArrayList<>();
    int rank = seen.map().members().indexOf(id);
    for (ClusterNode each : seen.nodes()) {
      if (!each.id().equals(id) && detector.hasFailed(tenants.get(each.tenant()), rank)) {
        if (remove(each)) {
          dead.add(each.id());
        }
      }
    }
    return dead;
  }

  private void lookBetweenRepairs() {
    if (environment.nanoTime() - lookedNanos >= detector.lookNanos()) {
      ClusterConfiguration seen = known.get();
      removeDead(seen, detector.tenants());
      seen.abandoned().forEach(each -> shared.change(before -> before.takenOver(each, id)));
    }
  }

  /**
   * A repair calls this for the owners of nodes that it waits for. An owner that is alive may fail
   * meanwhile, so a call also searches for failed members from time to time.
   */
  private boolean isRecoveredHere(int number) {
    boolean isHere = known.get().isRecoveredBy(number, id);
    if (!isHere) {
      lookBetweenRepairs();
    }
    return isHere;
  }

  /**
   * Frees the entry of a compute node that has failed before it was a member, or after it had left.
   */
  private void removeStranger(ComputeNodeEntry stranger, long tenant) {
    if (!shared.read().isStranger(stranger)) {
      return;
    }
    noteLostMemory();
    pool.fence(tenant);
    detector.noteFenced(stranger.number());
    try (Channel own = shared.openChannel()) {
      SharedConfiguration.change(
          shared.register(own),
          before -> {
            if (before.isStranger(stranger)
                && ComputeNodeTable.isOf(own, stranger.entry(), tenant)) {
              ComputeNodeTable.leave(own, stranger);
            }
            return before;
          });
    }
  }

  /**
   * Fences and removes a member. Returns false if it has left in order, which the configuration
   * that is installed locally may not contain yet.
   */
  private boolean remove(ClusterNode silent) {
    PeerId dead = silent.id();
    if (!shared.read().isMember(dead)) {
      return false;
    }
    LOG.warn("{} {} has missed its heartbeats, and is declared failed", silent.name(), dead);
    noteLostMemory();
    pool.fence(silent.tenant());
    detector.noteFenced((int) dead.incarnation());
    shared.change(before -> before.without(dead, id));
    return true;
  }

  /** The memory that a failed compute node had allocated, and not used, is found by a scan only. */
  private void noteLostMemory() {
    try (Channel own = shared.openChannel()) {
      LostMemory.note(own);
    }
  }

  /** Other compute nodes continue to work. Continues a recovery whose member has failed, too. */
  private void recover(PeerId dead, Engine engine) {
    ClusterConfiguration latest = shared.change(before -> before.takenOver(dead, id));
    if (latest.isRecoveredBy(dead, id)) {
      recoveries.incrementAndGet();
      recoverRemoved(dead, engine);
    }
  }

  /**
   * The tables that contain the schema are first, since the failed member may have had tables that
   * are not known locally yet.
   */
  private void recoverRemoved(PeerId dead, Engine engine) {
    try (ComputeNodeRecovery recovery = new ComputeNodeRecovery(engine, ClusterNode.entry(dead))) {
      if (!recovery.isForgotten()) {
        recovery.recoverLogs();
        shared.change(latest -> latest.recovered(dead));
        recovery.repairIndexes(tables.catalogue(), this::isRecoveredHere, this::lookBetweenRepairs);
      }
    }
    shared.change(
        latest -> latest.recovered(dead)); // if an earlier recovery failed before it did this
    repair(dead, engine);
  }

  /** Does nothing unless all tables that it may have had are known locally. */
  private void repair(PeerId dead, Engine engine) {
    ClusterConfiguration latest = shared.read();
    if (!latest.unrepaired(id).contains(dead)) {
      return;
    }
    boolean isDone = true;
    try (ComputeNodeRecovery recovery = new ComputeNodeRecovery(engine, ClusterNode.entry(dead))) {
      if (!recovery.isForgotten()) {
        isDone =
            tables.use(
                latest.schema().version(),
                stores ->
                    recovery.repairIndexes(
                        stores, this::isRecoveredHere, this::lookBetweenRepairs));
        if (isDone) {
          recovery.forget();
        }
      }
    }
    if (isDone) {
      shared.change(before -> before.repaired(dead));
    }
  }
}
