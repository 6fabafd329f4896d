package org.nelumbo.dm.replication.membership;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.PoolConfiguration;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Change of the view while several compute nodes share the pool: memory nodes are excluded, or one
 * that has returned is admitted for filling, or becomes live. Each compute node performs it in step
 * with the others. {@link Membership} has the states.
 *
 * <ol>
 *   <li>The memory nodes agree on the next view, on the request of any compute node.
 *   <li>No flush enters any more. Flushes inside end, or wait. Then this compute node has left the
 *       earlier views, and records this.
 *   <li>When all compute nodes have left, waiting flushes repeat their unfinished verbs in the next
 *       view. When they are done, counters of backups are raised to those of new primaries, and
 *       this compute node records that it has repeated everything.
 *   <li>When all compute nodes have recorded this, the view is in force.
 * </ol>
 *
 * <p>A compute node that fails or is silent while it is waited for is fenced, and its flushes are
 * completed in the next view. If another memory node fails, or a later view is agreed upon, the
 * change starts again with that one.
 *
 * <p>A filled node becomes live only if no flush is partly executed: no compute node has failed
 * during one, and no flush waits for the next view. Otherwise the node is left out. Confined to the
 * view-change thread.
 */
public final class SharedViewChange {
  private static final Logger LOG = LoggerFactory.getLogger(SharedViewChange.class);
  private static final long LOOK_NANOS = 100_000L;

  /** Polls between two checks for a later view while waiting for local flushes. */
  private static final int LOOK_MASK = 0x1F;

  private final Environment environment;
  private final Membership membership;
  private final CurrentView currentView;
  private final HeaderWriter headers;
  private final Reconnector reconnector;
  private final NodeAdmission admission;
  private final Sharers sharers;

  /** The other compute nodes that share the pool, and how to remove them. */
  public interface Sharers {
    /**
     * Returns true if a compute node has failed, or is presumed to have. Always false for this one.
     *
     * @throws FabricException if a memory node of the view fails
     */
    boolean isDead(View view, long tenant);

    /**
     * Fences a compute node at the memory nodes of a view and completes its flushes there, unless
     * another thread is doing this. A caller that depends on the completion calls this again as
     * long as the compute node has an entry in the intent table.
     *
     * @throws FabricException if a memory node of the view fails
     */
    void remove(View view, long tenant);

    /** Returns how long a compute node may be silent. */
    long leaseNanos();
  }

  SharedViewChange(
      Environment environment,
      Membership membership,
      Reconnector reconnector,
      NodeAdmission admission,
      Sharers sharers) {
    this.environment = environment;
    this.membership = membership;
    this.currentView = membership.currentView();
    this.headers = membership.headers();
    this.reconnector = reconnector;
    this.admission = admission;
    this.sharers = sharers;
  }

  /** Returns true if a later view than the one in force has been agreed upon. */
  boolean isWanted() {
    View view = currentView.last();
    return headers.knownView(view) > view.number();
  }

  /**
   * Excludes memory nodes, admits one, or takes part in a change that other compute nodes have
   * begun. Afterwards another view is in force, or nothing has changed, or the pool is lost.
   *
   * @param nodes failed nodes, one bit per node
   * @param wanted admission of a node, or null
   */
  void run(long nodes, ViewAgreement.Admission wanted) {
    try {
      change(nodes, wanted);
      for (int node = 0; node < membership.view().placement().nodes(); node++) {
        if (membership.view().connection(node) != null) {
          reconnector.settled(node);
        }
      }
    } catch (FabricException | PoolOpenException e) {
      membership.lose(nodes == 0 ? 0 : Long.numberOfTrailingZeros(nodes), e.getMessage());
    }
  }

  private void change(long nodes, ViewAgreement.Admission admitted) {
    membership.begin(nodes != 0);
    View before = membership.view();
    View next = before;
    long failed = nodes;
    ViewAgreement.Admission wanted = admitted;
    while (!membership.isLost() && membership.view() == before) {
      PoolConfiguration decided = decided(next, failed, wanted);
      wanted = null;
      if (decided.view() == before.number()) {
        membership.cancel();
        break;
      }
      membership.noteDecided();
      next = next(before, decided);
      checkNotLost(before, next);
      closeOthers(before, next);
      int filling = decided.filling();
      failed =
          filling >= 0 && next.connection(filling) == null ? 1L << filling : attempt(before, next);
      if (failed != 0) {
        LOG.warn("nodes {} have also failed: view {} is abandoned", failed, next.number());
      }
      if (membership.view() == before) {
        membership.retry();
      }
    }
    if (!membership.isLost()) {
      membership.openGates();
      LOG.info("view {} of nodes {}", next.number(), NodeBits.toString(next.liveNodes()));
    }
  }

  /**
   * Obtains a decision of the memory nodes on the next view.
   *
   * @throws PoolOpenException if they do not agree; the message says why
   */
  private PoolConfiguration decided(View view, long failed, ViewAgreement.Admission wanted) {
    ViewAgreement agreement = membership.agreement();
    try {
      PoolConfiguration decided = agreement.decideNext(view, failed, wanted);
      if (decided == null) {
        throw new PoolOpenException(
            agreement.known().owner().name()
                + " has attached it while this process could not be reached");
      }
      if ((decided.record().live() & failed) != 0) {
        throw new PoolOpenException("no copy of the data of the failed memory nodes is left");
      }
      return decided;
    } catch (NoMajorityException e) {
      throw new PoolOpenException(
          "too few memory nodes respond to agree on the live nodes: " + e.getMessage(), e);
    }
  }

  /** A node to be filled has no connection if this compute node is not connected to it. */
  private View next(View before, PoolConfiguration decided) {
    View next = before;
    for (int node = 0; node < before.placement().nodes(); node++) {
      PoolConfiguration.Node state = decided.nodes().get(node);
      boolean isKnown = headers.incarnation(node) == state.incarnation();
      NodeConnection known = before.connection(node);
      if (state.isFilling()) {
        boolean isFilling = known != null && isKnown;
        next =
            next.with(
                before.number(),
                node,
                isFilling ? known : admission.connection(node, state.incarnation()),
                isFilling ? before.resync(node) : new ResyncProgress(before.placement().slots()));
        headers.setIncarnation(node, state.incarnation());
      } else {
        next = next.with(before.number(), node, state.isLive() ? known : null, null);
      }
    }
    return next.with(decided.view());
  }

  private static void checkNotLost(View before, View next) {
    Placement placement = next.placement();
    for (int logical = 0; logical < placement.logicals(); logical++) {
      boolean isLost = next.primaryCopy(logical) < 0;
      boolean isAnyKnown = false;
      int left = 0;
      int last = 0;
      for (int copy = 0; copy < placement.copies(); copy++) {
        int node = placement.node(logical, copy);
        isAnyKnown |= before.isLive(node) && next.isLive(node);
        left += next.isLive(node) ? 1 : 0;
        last = before.isLive(node) ? copy : last;
      }
      if (!isAnyKnown) {
        throw new PoolOpenException("no copy that this process is connected to is left");
      }
      boolean isFirstLeft = next.primaryCopy(logical) == before.primaryCopy(logical);
      boolean isLastLeft = next.isLive(placement.node(logical, last));
      if (isLost || (!isFirstLeft && !isLastLeft && left > 1)) {
        throw new PoolOpenException(
            "too many memory nodes have failed at once: live are "
                + NodeBits.toString(next.liveNodes()));
      }
    }
  }

  /** Requests in flight to the excluded nodes fail then. */
  private static void closeOthers(View before, View next) {
    for (int node = 0; node < before.placement().nodes(); node++) {
      if (before.connection(node) != null && next.connection(node) == null) {
        before.connection(node).abandon();
      }
    }
  }

  /**
   * Returns the nodes that have failed meanwhile, one bit per node; the view may be in force or
   * not.
   */
  private long attempt(View before, View next) {
    int first = Long.numberOfTrailingZeros(before.liveNodes() & next.liveNodes());
    long added = next.liveNodes() & ~before.liveNodes();
    boolean isLess = (next.connectedNodes() & before.connectedNodes()) != before.connectedNodes();
    try (IntentTable table = new IntentTable(environment, next, first)) {
      membership.closeGates(isLess);
      long failed = membership.write(next);
      if (failed != 0 || !await(next, isLess ? membership::isDrained : membership::isEmpty)) {
        return failed | suspects(next);
      }
      if (added == 0) {
        membership.leave(table);
        if (!awaitAll(next, table, IntentTable.Sharer::left)) {
          return suspects(next);
        }
      } else {
        table.extend(membership.sharing().intents(), Long.numberOfTrailingZeros(added));
        membership.leave(table);
        if (!awaitAllLeft(next, table)) {
          boolean isLeftOut = headers.knownView(next) <= next.number();
          return (isLeftOut ? added : 0) | suspects(next);
        }
      }
      membership.repeat(next);
      if (!await(next, membership::isEmpty)) {
        return suspects(next);
      }
      new CounterRepair(next, table).run(before);
      membership.noteRepeated(table);
      if (!awaitAll(next, table, IntentTable.Sharer::repeated)) {
        return suspects(next);
      }
      membership.install(next);
      return 0;
    } catch (FabricException e) {
      if (e.isRevoked() || e.node() < 0) {
        throw e;
      }
      return 1L << e.node() | suspects(next);
    }
  }

  private long suspects(View view) {
    return currentView.drainSuspects() & view.connectedNodes();
  }

  /** Returns false if a node of the view fails first, or a later view is agreed upon. */
  private boolean await(View next, BooleanSupplier condition) {
    for (int attempt = 0; !condition.getAsBoolean(); attempt++) {
      if (currentView.suspects(next.connectedNodes()) != 0
          || ((attempt & LOOK_MASK) == LOOK_MASK && isOver(next))) {
        return false;
      }
      environment.backoff(attempt);
    }
    return true;
  }

  private boolean isOver(View next) {
    currentView.current();
    return currentView.suspects(next.connectedNodes()) != 0
        || headers.knownView(next) > next.number();
  }

  private boolean awaitAll(View next, IntentTable table, ToLongFunction<IntentTable.Sharer> word) {
    while (true) {
      boolean isComplete = true;
      for (IntentTable.Sharer each : table.sharers()) {
        if (word.applyAsLong(each) < next.number()) {
          isComplete = false;
          // A compute node in a later view may have left a memory node, where it looks failed.
          if (sharers.isDead(next, each.tenant()) && !isOver(next)) {
            LOG.warn("a compute node has not installed view {}: fencing it", next.number());
            sharers.remove(next, each.tenant());
          }
        }
      }
      if (isComplete) {
        return true;
      }
      if (isOver(next)) {
        return false;
      }
      environment.parkNanos(LOOK_NANOS);
    }
  }

  /**
   * Waits until all compute nodes have left the views before one in which a filled node becomes
   * live. Returns false if the node has to be left out.
   */
  private boolean awaitAllLeft(View next, IntentTable table) {
    while (!isOver(next)) {
      boolean isComplete = true;
      List<Long> entering = table.tenants();
      for (IntentTable.Sharer each : table.sharers()) {
        entering.remove(each.tenant());
        isComplete &= each.left() >= next.number();
        if (each.left() < next.number() && sharers.isDead(next, each.tenant())) {
          return false;
        }
      }
      if (isComplete && entering.isEmpty()) {
        return true;
      }
      for (long each : entering) {
        if (sharers.isDead(next, each)) {
          return false;
        }
      }
      environment.parkNanos(LOOK_NANOS);
    }
    return false;
  }
}
