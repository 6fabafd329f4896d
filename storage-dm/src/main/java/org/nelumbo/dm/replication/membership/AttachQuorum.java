package org.nelumbo.dm.replication.membership;

import java.util.StringJoiner;
import java.util.TreeSet;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.PoolConfiguration;
import org.nelumbo.dm.replication.view.View;
import org.nelumbo.dm.replication.view.ViewRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quorum of an attach: decides with which memory nodes a compute node starts. A node is
 * <i>trusted</i> if it was live in the latest decided view, can be reached, and has not been
 * restarted since. Any trusted nodes that together have a copy of everything are sufficient. If all
 * live nodes have been restarted, the whole pool was restarted. Then the contents of these nodes
 * are accepted, except those of nodes with damaged pages.
 */
public final class AttachQuorum {
  private static final Logger LOG = LoggerFactory.getLogger(AttachQuorum.class);

  /** Minimum number of voters. With two, neither could continue without the other. */
  private static final int VOTERS_MIN = 3;

  private final NodeProbe nodeProbe;
  private final WantedPool wanted;

  /** Latest decided view, or null if it is unknown or no view was decided. */
  private ViewRecord decided;

  /** Reason why the latest decision is unknown, or null if it is known or none was made. */
  private PoolOpenException undecided;

  /** Id of the pool with the latest decided view, or 0. */
  private long decidedPool;

  private ViewRecord latest;
  private boolean forced;

  /** True if the pool is not in memory, but in logs on disks. */
  private boolean isCold;

  public AttachQuorum(NodeProbe nodeProbe, WantedPool wanted) {
    this.nodeProbe = nodeProbe;
    this.wanted = wanted;
  }

  /**
   * Determines the latest view; {@link ViewAgreement#inquire} comes before. If the latest decision
   * cannot be determined, only a forced attach can continue. If all voters respond and none has a
   * decision, because files were copied without their votes, the headers determine the latest view.
   *
   * @throws PoolOpenException if the pool has an old format, in which memory nodes did not agree,
   *     and the attach is not forced
   */
  public void learn(ViewAgreement agreement) {
    if (isOld()) {
      checkForced();
      checkVoters(agreement);
    }
    decided = null;
    undecided = null;
    if (agreement.isUndecided()) {
      return;
    }
    try {
      if (agreement.known() == null) {
        throw new PoolOpenException(
            "no memory node that responds knows the owner of the pool: start all of them,"
                + " with their previous memory");
      }
      PoolConfiguration configuration = agreement.latest(wanted.force());
      decided = configuration.record();
      decidedPool = configuration.poolId();
    } catch (PoolOpenException e) {
      undecided = e;
    }
  }

  private void checkForced() {
    if (!wanted.force()) {
      throw new PoolOpenException(
          "the pool was created without agreement of its memory nodes"
              + " (availability=last-copy), which this version does not support: open it once"
              + " with recover=force (if it has two nodes, also with witness=HOST:PORT) while"
              + " all its nodes respond and no other process has attached it, or copy the data"
              + " with the version that created it (nelumbo backup, nelumbo restore)");
    }
  }

  private static void checkVoters(ViewAgreement agreement) {
    if (agreement.voters() < VOTERS_MIN) {
      throw new PoolOpenException(
          "a pool with copies needs three memory nodes, or two and a witness, so that a"
              + " majority can decide on its owner: name a third node, or a witness"
              + " (witness=HOST:PORT, started by nelumbo memory-node --witness), or use one copy"
              + " (replicas=1) voters="
              + agreement.voters());
    }
  }

  private boolean isOld() {
    boolean isOld = false;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.hasPool(node) && nodeProbe.header(node).isAgreed()) {
        return false;
      }
      isOld |= nodeProbe.hasPool(node) && nodeProbe.header(node).isOld();
    }
    return isOld;
  }

  /**
   * Returns true if the memory nodes keep logs of the pool on disks.
   *
   * @throws PoolOpenException if some do, and some do not
   */
  public boolean isDurable() {
    int durable = -1;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.connection(node) != null) {
        int isDurable = nodeProbe.logId(node) == 0 ? 0 : 1;
        if (durable >= 0 && durable != isDurable) {
          throw new PoolOpenException(
              "some memory nodes of the pool are durable, and some are not: start all of them with"
                  + " --durable, or none");
        }
        durable = isDurable;
      }
    }
    return durable == 1;
  }

  /** Returns true if the attach continues with nodes that may not have the latest state. */
  public boolean isForced() {
    return forced;
  }

  /** Returns true if the pool is not in memory, and the live nodes of the view have it in logs. */
  public boolean isCold() {
    return isCold;
  }

  /** Returns the id of an existing pool. */
  public long poolId() {
    return isEmpty() ? decidedPool : anyHeader().poolId();
  }

  private boolean isEmpty() {
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.hasPool(node)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns true if there is no pool yet: all nodes are reachable and empty.
   *
   * @param agreement used to find a pool that is in logs only
   * @throws PoolOpenException if a node cannot be reached
   */
  public boolean isNew(ViewAgreement agreement) {
    if (!isEmpty() || (isDurable() && isInLogs(agreement))) {
      return false;
    }
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.connection(node) == null) {
        RuntimeException why = nodeProbe.failure(node);
        throw new PoolOpenException(why.getMessage(), why);
      }
    }
    return true;
  }

  private boolean isInLogs(ViewAgreement agreement) {
    PoolConfiguration known = agreement.inquire();
    for (int node = 0; known != null && node < nodeProbe.nodes(); node++) {
      if (nodeProbe.logId(node) == known.poolId()) {
        learn(agreement);
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the first view of a new pool, which is not written yet.
   *
   * @throws PoolOpenException if there cannot be one with these memory nodes
   */
  public View newView(ViewAgreement agreement) {
    Placement placement = NewPlacement.of(nodeProbe, wanted, isDurable());
    checkVoters(agreement);
    return view(1, placement, NodeBits.all(nodeProbe.nodes()));
  }

  private View view(long number, Placement placement, long live) {
    return nodeProbe.view(number, placement, live);
  }

  /** Returns any header of the pool. */
  NodeHeader anyHeader() {
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.hasPool(node)) {
        return nodeProbe.header(node);
      }
    }
    throw new IllegalStateException("there is no pool");
  }

  /**
   * Returns the view to start with, which follows the latest one and is not written yet.
   *
   * @throws PoolOpenException if too few nodes have the latest state and the attach is not forced
   */
  public View nextView() {
    NodeHeader any = isEmpty() ? null : anyHeader();
    if (any != null) {
      HeaderCheck.run(nodeProbe, any, wanted.copies());
    }
    if (any == null && undecided != null) {
      throw undecided;
    }
    latest = latestView();
    long live = isDurable() ? durableNodes() : liveNodes();
    Placement placement =
        any == null
            ? NewPlacement.of(nodeProbe, wanted, isDurable())
            : new Placement(any.nodes(), any.copies(), any.virtualNodes(), any.slotBytes());
    View view = view(latest.number() + 1, placement, live);
    if (live != 0 && view.lost() < 0 && undecided == null) {
      return view;
    }
    View last = forcedView(placement, ViewRecord.forcedNumber(latest.number()));
    if (!wanted.force() || last == null) {
      throw undecided != null ? tooFew(undecided, last) : tooFew(live, last);
    }
    forced = true;
    LOG.warn(
        "recover=force: continuing with memory nodes {} although {}; commits that these"
            + " nodes lack are lost",
        NodeBits.toString(last.liveNodes()),
        missing());
    return last;
  }

  /**
   * Returns the view that the compute nodes which share the pool have in force.
   *
   * @throws FabricException if some of its nodes cannot be reached, or have been restarted since
   */
  public View sharedView() {
    if (isEmpty()) {
      throw new FabricException(0, "the memory nodes have restarted, and lost the pool", null);
    }
    NodeHeader any = anyHeader();
    HeaderCheck.run(nodeProbe, any, wanted.copies());
    latest = latestView();
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (undecided != null || (latest.isLive(node) && !isTrusted(node))) {
        throw new FabricException(
            node,
            "the members of the pool use memory nodes "
                + NodeBits.toString(latest.live())
                + ", some of which cannot be reached: "
                + (undecided == null ? missing() : undecided.getMessage()),
            undecided);
      }
    }
    Placement placement =
        new Placement(any.nodes(), any.copies(), any.virtualNodes(), any.slotBytes());
    return view(latest.number(), placement, latest.live());
  }

  /**
   * Returns the view of a forced attach, for which the latest state is unknown. Its nodes were live
   * in the same view. This is the latest view of which such nodes have a copy of everything. If the
   * nodes that were not restarted since are enough, the others are left out. A node that was being
   * filled is never included, because it has parts of several states.
   *
   * @return null if no such nodes have a copy of everything
   */
  private View forcedView(Placement placement, long number) {
    TreeSet<Long> known = new TreeSet<>();
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.hasPool(node) && nodeProbe.header(node).view() != null) {
        known.add(nodeProbe.header(node).view().number());
      }
    }
    for (long each : known.descendingSet()) {
      View untouched = nodeProbe.view(number, placement, liveIn(each, false));
      View all = nodeProbe.view(number, placement, liveIn(each, true));
      if (untouched.lost() < 0) {
        return untouched;
      } else if (all.lost() < 0) {
        return all;
      }
    }
    return null;
  }

  /**
   * Returns the nodes that are live in a view and have it as their latest one, one bit per node.
   */
  private long liveIn(long view, boolean alsoRestarted) {
    long nodes = 0;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      NodeHeader header = nodeProbe.hasPool(node) ? nodeProbe.header(node) : null;
      if (header != null
          && header.view() != null
          && header.view().number() == view
          && header.view().isLive(node)
          && (alsoRestarted || header.incarnation() == header.view().incarnation(node))) {
        nodes |= 1L << node;
      }
    }
    return nodes;
  }

  private ViewRecord latestView() {
    if (decided != null) {
      return decided;
    }
    ViewRecord found = null;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      ViewRecord record = nodeProbe.hasPool(node) ? nodeProbe.header(node).view() : null;
      if (record != null && (found == null || record.number() > found.number())) {
        found = record;
      }
    }
    if (found == null) {
      throw new PoolOpenException("no memory node has a view of the pool: it is damaged");
    }
    return found;
  }

  private long liveNodes() {
    long trusted = 0;
    long withData = 0;
    boolean allReply = true;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (latest.isLive(node)) {
        allReply &= nodeProbe.connection(node) != null;
        withData |= nodeProbe.hasPool(node) && !isDamaged(node) ? 1L << node : 0;
        trusted |= isTrusted(node) ? 1L << node : 0;
      }
    }
    if (trusted != 0 && decided != null) {
      return trusted;
    }
    return !allReply ? 0 : trusted != 0 ? trusted : withData;
  }

  /**
   * Returns the live nodes of the latest view that were not restarted. If there are none, returns
   * those that have the pool in their logs: the log of each live node is complete.
   */
  private long durableNodes() {
    long trusted = 0;
    long logged = 0;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (latest.isLive(node)) {
        trusted |= isTrusted(node) ? 1L << node : 0;
        logged |= nodeProbe.logId(node) == decidedPool ? 1L << node : 0;
      }
    }
    isCold = trusted == 0 && logged != 0 && decided != null;
    return isCold ? logged : trusted;
  }

  private boolean isDamaged(int node) {
    return nodeProbe.header(node).damagedPages() > 0;
  }

  private boolean isTrusted(int node) {
    return nodeProbe.hasPool(node)
        && nodeProbe.header(node).incarnation() == latest.incarnation(node);
  }

  private static PoolOpenException tooFew(PoolOpenException why, View last) {
    return new PoolOpenException(why.getMessage() + forcedText(last), why);
  }

  private static String forcedText(View last) {
    return last == null
        ? "; the nodes that respond have no complete copy of the pool, so recover=force"
            + " cannot help"
        : "; if they are permanently lost, recover=force continues with nodes "
            + NodeBits.toString(last.liveNodes())
            + ", and loses the commits that these lack";
  }

  private PoolOpenException tooFew(long live, View last) {
    return new PoolOpenException(
        "too few of the memory nodes that were live in the last view ("
            + latest.number()
            + ": nodes "
            + NodeBits.toString(latest.live())
            + ") have their previous memory"
            + (live == 0 ? "" : ", live would be " + NodeBits.toString(live))
            + "; start the missing ones with their previous memory: "
            + missing()
            + forcedText(last));
  }

  private String missing() {
    StringJoiner missing = new StringJoiner("; ");
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (latest.isLive(node) && !isTrusted(node)) {
        RuntimeException why = nodeProbe.failure(node);
        missing.add(
            why != null
                ? why.getMessage()
                : "memory node "
                    + nodeProbe.name(node)
                    + (nodeProbe.hasPool(node) && isDamaged(node)
                        ? " has lost " + nodeProbe.header(node).damagedPages() + " damaged pages"
                        : " has been started anew"));
      }
    }
    return missing.toString();
  }
}
