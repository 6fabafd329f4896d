package org.nelumbo.dm.replication;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.membership.SharedViewChange;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.View;

/**
 * Sharing of a pool with copies. Each request goes to all live memory nodes, one after the other,
 * in the order in which compute nodes enter them. Fencing a compute node also completes its
 * flushes. Thread-safe.
 */
final class ReplicatedSharing implements SharedPool, SharedViewChange.Sharers {

  /** Silence of tenants that no memory node has, longer than any lease. */
  private static final long UNKNOWN_NANOS = Long.MAX_VALUE / 2;

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final OrphanedFlushes orphanedFlushes;
  private final Consumer<Boolean> share;
  private final PeerOpener peers;

  /**
   * @param share lets other compute nodes enter; receives whether all unused memory was freed
   */
  ReplicatedSharing(
      Environment environment,
      CurrentView currentView,
      Sharing sharing,
      OrphanedFlushes orphanedFlushes,
      Consumer<Boolean> share,
      PeerOpener peers) {
    this.environment = environment;
    this.currentView = currentView;
    this.sharing = sharing;
    this.orphanedFlushes = orphanedFlushes;
    this.share = share;
    this.peers = peers;
  }

  private static List<SharedPool> nodes(View view) {
    return nodes(view, view.liveNodes());
  }

  private static List<SharedPool> nodes(View view, long some) {
    List<SharedPool> nodes = new ArrayList<>();
    for (long left = some; left != 0; left &= left - 1) {
      nodes.add(view.connection(Long.numberOfTrailingZeros(left)).sharing());
    }
    return nodes;
  }

  private List<SharedPool> nodes() {
    return nodes(currentView.current());
  }

  private interface Question<T> {
    T ask(View view);
  }

  private <T> T ask(Question<T> question) {
    while (true) {
      View view = currentView.current();
      try {
        return question.ask(view);
      } catch (FabricException e) {
        orphanedFlushes.report(view, e);
        currentView.awaitExclusion(e.node(), view.connection(e.node()), e);
      }
    }
  }

  @Override
  public long tenant() {
    return nodes().getFirst().tenant();
  }

  @Override
  public boolean isShared() {
    return sharing.isShared();
  }

  @Override
  public void prepare(boolean isScanned) {
    share.accept(isScanned);
  }

  @Override
  public void completeAlone() {
    sharing.completeAlone();
  }

  @Override
  public void share() {
    askAll(nodes(), SharedPool::share);
  }

  @Override
  public void ownAlone() {
    List<SharedPool> asked = new ArrayList<>();
    try {
      for (SharedPool node : nodes()) {
        node.ownAlone();
        asked.add(node);
      }
    } catch (PoolInUseException e) {
      asked.forEach(SharedPool::share);
      throw e;
    }
  }

  @Override
  public void fence(long tenant) {
    ask(
        view -> {
          fence(view, tenant);
          return null;
        });
    orphanedFlushes.complete(tenant, other -> isFencedIfDead(currentView.current(), other));
  }

  /** Includes a memory node that is being filled. */
  private static void fence(View view, long tenant) {
    askAll(nodes(view, view.connectedNodes()), node -> node.fence(tenant));
  }

  private static void askAll(List<SharedPool> nodes, Consumer<SharedPool> question) {
    RuntimeException failure = null;
    for (SharedPool node : nodes) {
      try {
        question.accept(node);
      } catch (FabricException | PoolOpenException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static boolean isFencedIfDead(View view, long other) {
    boolean isFenced = isGone(view, other);
    if (isFenced) {
      fence(view, other);
    }
    return isFenced;
  }

  private static boolean isGone(View view, long tenant) {
    long lease = leaseNanos(view);
    for (PoolTenant each : tenants(view)) {
      if (each.id() == tenant) {
        return each.silentNanos() > (each.isConnected() ? lease : SharedPool.cutOffNanos(lease));
      }
    }
    return true;
  }

  @Override
  public boolean isDead(View view, long tenant) {
    return tenant != sharing.tenant() && isGone(view, tenant);
  }

  @Override
  public void remove(View view, long tenant) {
    fence(view, tenant);
    orphanedFlushes.complete(view, tenant, other -> isFencedIfDead(view, other));
  }

  /**
   * Returns the tenants of the memory nodes, and those that only have an entry in the intent table,
   * which has to be freed. The table is read first: a compute node is a tenant of memory nodes
   * before it takes its entry, and until it has freed it.
   */
  @Override
  public List<PoolTenant> tenants() {
    return ask(
        view -> {
          List<Long> entered = sharing.isTogether() ? entered(view) : List.of();
          List<PoolTenant> all = new ArrayList<>(tenants(view));
          Set<Long> known = all.stream().map(PoolTenant::id).collect(Collectors.toSet());
          for (long each : entered) {
            if (!known.contains(each)) {
              all.add(new PoolTenant(each, "", UNKNOWN_NANOS, false));
            }
          }
          return List.copyOf(all);
        });
  }

  private List<Long> entered(View view) {
    try (IntentTable table = new IntentTable(environment, view)) {
      return table.tenants();
    }
  }

  private static List<PoolTenant> tenants(View view) {
    Map<Long, PoolTenant> all = new LinkedHashMap<>();
    for (SharedPool node : nodes(view)) {
      for (PoolTenant each : node.tenants()) {
        PoolTenant known = all.getOrDefault(each.id(), each);
        long silentNanos = Math.max(known.silentNanos(), each.silentNanos());
        boolean isConnected = known.isConnected() && each.isConnected();
        all.put(each.id(), new PoolTenant(each.id(), each.name(), silentNanos, isConnected));
      }
    }
    return List.copyOf(all.values());
  }

  @Override
  public PeerNetwork openPeers(PeerId self) {
    return peers.open(leaseNanos(), self);
  }

  @Override
  public long leaseNanos() {
    return leaseNanos(currentView.last());
  }

  private static long leaseNanos(View view) {
    return nodes(view).stream().mapToLong(SharedPool::leaseNanos).min().orElseThrow();
  }
}
