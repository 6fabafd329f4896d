package org.nelumbo.dm.replication;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sharing of a pool with copies. All its live memory nodes are asked, one after the other in the
 * order in which others enter them. Whoever fences a compute node ends its flushes, too.
 * Thread-safe.
 */
final class ReplicatedSharing implements SharedPool {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedSharing.class);

  private final ReplicatedFabric fabric;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final PeerOpener peers;

  ReplicatedSharing(
      ReplicatedFabric fabric, CurrentView currentView, Sharing sharing, PeerOpener peers) {
    this.fabric = fabric;
    this.currentView = currentView;
    this.sharing = sharing;
    this.peers = peers;
  }

  private List<SharedPool> nodes() {
    View view = currentView.current();
    List<SharedPool> nodes = new ArrayList<>();
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        nodes.add(view.connection(node).sharing());
      }
    }
    return nodes;
  }

  @Override
  public long tenant() {
    return nodes().getFirst().tenant();
  }

  @Override
  public boolean isShared() {
    return sharing.isShared();
  }

  /** While a memory node is being filled nobody can be let in: who asks is heard afterwards. */
  @Override
  public boolean isWanted() {
    View view = currentView.current();
    boolean isWanted = false;
    for (int node = 0; node < view.placement().nodes(); node++) {
      if (view.resync(node) != null) {
        return false;
      }
      isWanted |= view.isLive(node) && isWanted(view.connection(node).sharing());
    }
    return isWanted;
  }

  /** A node that has failed is none by which anybody comes: the view changer leaves it out. */
  private static boolean isWanted(SharedPool node) {
    try {
      return node.isWanted();
    } catch (FabricException | PoolOpenException e) {
      LOG.debug("a memory node is not asked whether others want the pool: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void share() {
    fabric.share();
    askAll(SharedPool::share);
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
    askAll(node -> node.fence(tenant));
    fabric.complete(tenant, this::isFencedIfDead);
  }

  /** Asks all nodes, also those behind one that fails. */
  private void askAll(Consumer<SharedPool> question) {
    RuntimeException failure = null;
    for (SharedPool node : nodes()) {
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

  /** Whether a compute node is fenced; if it is silent, or cut off, it is fenced here. */
  private boolean isFencedIfDead(long other) {
    for (PoolTenant each : tenants()) {
      if (each.id() == other && each.isConnected() && each.silentNanos() <= leaseNanos()) {
        return false;
      }
    }
    fence(other);
    return true;
  }

  @Override
  public List<PoolTenant> tenants() {
    Map<Long, PoolTenant> all = new LinkedHashMap<>();
    Map<Long, Integer> connected = new LinkedHashMap<>();
    List<SharedPool> nodes = nodes();
    for (SharedPool node : nodes) {
      for (PoolTenant each : node.tenants()) {
        PoolTenant known = all.getOrDefault(each.id(), each);
        long silentNanos = Math.max(known.silentNanos(), each.silentNanos());
        connected.merge(each.id(), each.isConnected() ? 1 : 0, Integer::sum);
        boolean isConnected = connected.get(each.id()) == nodes.size();
        all.put(each.id(), new PoolTenant(each.id(), each.name(), silentNanos, isConnected));
      }
    }
    return List.copyOf(all.values());
  }

  @Override
  public PeerNetwork openPeers(PeerId self) {
    return peers.open(currentView.current().liveNodes(), leaseNanos(), self);
  }

  @Override
  public long leaseNanos() {
    return nodes().stream().mapToLong(SharedPool::leaseNanos).min().orElseThrow();
  }
}
