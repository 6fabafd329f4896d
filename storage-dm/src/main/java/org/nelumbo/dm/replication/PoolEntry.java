package org.nelumbo.dm.replication;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeChannels;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entry of this compute node in the intent table, through which the members of a shared pool
 * find one another. Waits until the other compute nodes have reached the latest view, takes an
 * entry, and frees it in the end.
 */
final class PoolEntry {
  private static final Logger LOG = LoggerFactory.getLogger(PoolEntry.class);
  private static final long ENTER_NANOS = 1_000_000L;

  /**
   * Maximum time to wait for a view to be in force. There may be no compute node left that can put
   * it in force.
   */
  private static final long IN_FORCE_NANOS = 10_000_000_000L;

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;
  private final ViewAgreement agreement;
  private final long poolId;
  private final Fabric fabric;

  /** Null if memory nodes do not keep track of the compute nodes that share them. */
  private final ReplicatedSharing sharers;

  PoolEntry(
      Environment environment,
      CurrentView currentView,
      Sharing sharing,
      ViewAgreement agreement,
      long poolId,
      Fabric fabric,
      ReplicatedSharing sharers) {
    this.environment = environment;
    this.currentView = currentView;
    this.sharing = sharing;
    this.agreement = agreement;
    this.poolId = poolId;
    this.fabric = fabric;
    this.sharers = sharers;
  }

  /**
   * Removes all compute nodes from the table, since none has the pool open.
   *
   * @param isScanned true if the blocks with intents were freed
   */
  void reset(boolean isScanned) {
    try (IntentTable table = new IntentTable(environment, currentView.current())) {
      table.reset(!isScanned);
    }
  }

  /**
   * Enters the table.
   *
   * @throws FabricException if a memory node fails meanwhile, or the view is changed by other
   *     compute nodes
   */
  void enter() {
    long drawn = sharers == null ? environment.randomLong() : sharers.tenant();
    long tenant = drawn == 0 ? 1 : drawn;
    sharing.setTenant(tenant);
    View view = currentView.current();
    try (IntentTable table = new IntentTable(environment, view);
        Channel channel = fabric.openChannel(Long.BYTES)) {
      table.leave(tenant);
      awaitInForce(view, table);
      boolean isDone = false;
      try {
        int entry = table.take(tenant);
        checkLatest(view);
        sharing.noteIn(table.enter(tenant, entry, channel));
        checkLatest(view);
        isDone = true;
      } finally {
        if (!isDone) {
          leave(table);
        }
      }
    }
  }

  /** Frees the entry, unless the pool is lost. */
  void leave() {
    if (sharing.tenant() != 0 && !currentView.isLost()) {
      try (IntentTable table = new IntentTable(environment, currentView.last())) {
        leave(table);
      }
    }
  }

  /** The entry may exist even if the reply to the request that took it was lost. */
  private void leave(IntentTable table) {
    try {
      table.leave(sharing.tenant());
    } catch (FabricException e) {
      LOG.debug("the other compute nodes detect that this one has left: {}", e.getMessage());
    }
  }

  /** Reserves room for intents at a node before it becomes live. */
  void reserve(int node) {
    try (IntentTable table = new IntentTable(environment, currentView.current());
        Channel channel = fabric.openChannel(Long.BYTES)) {
      table.reserve(sharing.intents(), node, channel);
    }
  }

  /**
   * Waits until all compute nodes that share the pool have reached a view that was decided. They
   * may not have received it, if the compute node that had it decided has failed, or was fenced, at
   * that moment. So this compute node writes it to the headers.
   *
   * <p>Failed compute nodes are not waited for. If a live member remains, it frees their entries,
   * and the next attempt succeeds. If none remains, the next attach repairs the pool. Joining
   * compute nodes do not count as members, but cannot be distinguished from them here.
   *
   * <p>No entry is taken before the view is in force. The first memory node may become live with
   * this view, and the members may still have to write their entries there.
   */
  private void awaitInForce(View view, IntentTable table) {
    long start = environment.nanoTime();
    while (isAnyBehind(view, table)) {
      checkLatest(view);
      tell(view);
      if (environment.nanoTime() - start > IN_FORCE_NANOS) {
        throw new FabricException(
            0, "the members of the pool do not install its latest view", null);
      }
      environment.parkNanos(ENTER_NANOS);
    }
    checkLatest(view);
  }

  private boolean isAnyBehind(View view, IntentTable table) {
    List<IntentTable.Sharer> known = table.sharers();
    Set<Long> behind = known.isEmpty() ? table.tenantsElsewhere() : new HashSet<>();
    if (isDeserted(known, behind)) {
      throw new FabricException(0, "no member of the pool with its latest view is left", null);
    }
    for (IntentTable.Sharer each : known) {
      if (each.repeated() < view.number()) {
        behind.add(each.tenant());
      }
    }
    List<Long> dead = behind.stream().filter(each -> isDead(view, each)).toList();
    if (!dead.isEmpty() && !isAnyThere(view, known)) {
      throw new FabricException(0, "a failed member of the pool has not been removed yet", null);
    }
    return dead.size() < behind.size();
  }

  /**
   * Returns true if this compute node is joining, and no member has carried out the change to the
   * view. A memory node that became live by that change may have counters that are behind, which
   * only an attach repairs.
   */
  private boolean isDeserted(List<IntentTable.Sharer> known, Set<Long> elsewhere) {
    return sharing.isShared() && known.isEmpty() && elsewhere.isEmpty();
  }

  /**
   * Returns true if a live compute node has reached a view. Then all have left the earlier views,
   * and that compute node removes the failed ones.
   */
  private boolean isAnyThere(View view, List<IntentTable.Sharer> known) {
    return known.stream()
        .anyMatch(each -> each.repeated() >= view.number() && !isDead(view, each.tenant()));
  }

  /** Always false if memory nodes do not keep track of compute nodes. */
  private boolean isDead(View view, long other) {
    return sharers != null && sharers.isDead(view, other);
  }

  private void tell(View view) {
    MemorySegment staging = Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64);
    try (NodeChannels channels = new NodeChannels(view.placement().nodes(), staging)) {
      long[] incarnations = agreement.known().record().incarnations();
      HeaderWriter headers = new HeaderWriter(channels, poolId, incarnations);
      if (headers.knownView(view) < view.number()) {
        LOG.info(
            "view {} was decided, but not written to the memory nodes: writing it now",
            view.number());
        headers.writeView(view);
      }
    }
  }

  /**
   * View changes do not wait for a joining compute node, so it has to detect later views itself.
   */
  private void checkLatest(View view) {
    if (sharing.isShared() && agreement.inquire().view() != view.number()) {
      throw new FabricException(0, "memory nodes failed while this compute node joined", null);
    }
  }

  /**
   * Sets the gates to the fill epoch of the other compute nodes, before anything is written or
   * appended.
   *
   * @param hasLogs true if memory nodes keep logs
   */
  void learnStep(boolean hasLogs) {
    View view = currentView.current();
    if (view.filling() < 0 && !hasLogs) {
      return;
    }
    try (IntentTable table = new IntentTable(environment, view)) {
      FillEpoch step = table.fillStep();
      for (int attempt = 0; step.number() == 0 && isBeingPublished(view, table); attempt++) {
        environment.backoff(attempt);
        step = table.fillStep();
      }
      if (view.filling() >= 0) {
        sharing.flushGate().setStep(step);
      }
      sharing.appendGate().setStep(step);
    }
  }

  /**
   * Returns true if the first epoch is about to be published.
   *
   * @throws FabricException if the compute node that was about to publish it has failed
   */
  private boolean isBeingPublished(View view, IntentTable table) {
    checkLatest(view);
    long filler = table.filler();
    boolean isThere = filler != 0 && table.tenants().contains(filler);
    if (isThere ? isDead(view, filler) : view.filling() >= 0) {
      throw new FabricException(0, "the compute node that fills a memory node has failed", null);
    }
    return isThere;
  }
}
