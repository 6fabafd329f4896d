package org.nelumbo.dm.replication.membership;

import java.util.function.IntFunction;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Change of the view while the pool is exclusive: memory nodes are excluded, or one that was filled
 * becomes live. Confined to the view-change thread.
 */
final class SoleViewChange {
  private static final Logger LOG = LoggerFactory.getLogger(SoleViewChange.class);

  private final Membership membership;
  private final HeaderWriter headers;
  private final Reconnector reconnector;
  private final NodeAdmission admission;
  private String lastFailure;

  SoleViewChange(Membership membership, Reconnector reconnector, NodeAdmission admission) {
    this.membership = membership;
    this.headers = membership.headers();
    this.reconnector = reconnector;
    this.admission = admission;
  }

  /** Excludes nodes, or marks the pool as lost. */
  void exclude(long nodes, IntFunction<FabricException> why) {
    View view = membership.view();
    if (isReplaced(view, nodes, why)) {
      return;
    }
    View next = without(view, nodes, why);
    if (next.liveNodes() == view.liveNodes()) {
      membership.replace(next);
    } else {
      run(next);
    }
  }

  /**
   * Returns true if a node that has closed its connection serves another compute node. Then the
   * pool is lost, and this process writes no further view.
   */
  private boolean isReplaced(View view, long nodes, IntFunction<FabricException> why) {
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      String owner = view.connection(node).replacedBy(why.apply(node));
      if (!owner.isEmpty()) {
        membership.currentView().loseTo(node, reconnector.name(node), owner);
        return true;
      }
    }
    return false;
  }

  private View without(View view, long nodes, IntFunction<FabricException> why) {
    View next = view;
    for (long left = nodes; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      String message = why.apply(node).getMessage();
      membership.currentView().health().setFailure(node, message);
      if (admission.note(node, message)) {
        LOG.warn(
            "memory node {} has failed; continuing without it: {}",
            reconnector.name(node),
            message);
      }
      lastFailure = message;
      view.connection(node).close();
      next = next.with(view.number(), node, null, null);
    }
    return next;
  }

  /**
   * Puts a view with other live nodes in force, also without those that fail meanwhile. Returns
   * false if the pool is lost, for instance because no such view has a live copy of everything. All
   * nodes of the view are probed first: if one serves another compute node, none receives a view
   * with which a later attach could continue.
   */
  boolean run(View wanted) {
    View next = wanted;
    while (next.lost() < 0 && !membership.isLost()) {
      next = membership.propose(next);
      long failed = headers.probe(next);
      if (failed == 0 && !isDecided(next)) {
        return false;
      }
      if (failed == 0) {
        failed = membership.write(next);
      }
      if (failed == 0) {
        membership.install(next);
        LOG.info("view {} of nodes {}", next.number(), NodeBits.toString(next.liveNodes()));
        return true;
      }
      if (isReplaced(next, failed, headers::failure)) {
        return false;
      }
      next = without(next, failed, headers::failure);
    }
    if (membership.isLost()) {
      return false;
    }
    int primary = next.placement().node(next.lost(), 0);
    membership.lose(
        primary,
        "no copy of the data of memory node "
            + reconnector.name(primary)
            + " is left: too many memory nodes have failed; live are "
            + NodeBits.toString(next.liveNodes())
            + (lastFailure == null ? "" : "; the last failure: " + lastFailure));
    return false;
  }

  /** The pool is lost without a decision, because another compute node owns it, or may own it. */
  private boolean isDecided(View next) {
    try {
      if (membership.decide(next)) {
        return true;
      }
      membership.loseToOwner();
    } catch (NoMajorityException e) {
      membership.lose(
          0,
          "too few memory nodes respond to agree on the live nodes: "
              + e.getMessage()
              + (lastFailure == null ? "" : "; the last failure: " + lastFailure)
              + "; start the missing ones, and open the pool again");
    }
    return false;
  }

  /**
   * Makes a node that has returned an acceptor of later decisions, whatever contents of the pool it
   * has.
   */
  void renewAgreement(View view) {
    try {
      if (!membership.agreement().renew(view)) {
        membership.loseToOwner();
      }
    } catch (NoMajorityException e) {
      LOG.debug("the voters stay the same: {}", e.getMessage());
    }
  }
}
