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
 * Quorum of an attach: decides with which memory nodes a compute node starts. <i>Trusted</i> are
 * the nodes that were live in the latest view that was decided, can be reached, and have not been
 * restarted since. Any of them do that have a copy of everything. If all live nodes have been
 * restarted, the whole pool was, and they are taken for what they have, except those that have
 * damaged pages.
 */
public final class AttachQuorum {
  private static final Logger LOG = LoggerFactory.getLogger(AttachQuorum.class);

  /** Of two neither can do without the other. */
  private static final int VOTERS_MIN = 3;

  private final NodeProbe nodeProbe;
  private final WantedPool wanted;

  /** The latest view that was decided; null if it is not known, or none was. */
  private ViewRecord decided;

  /** Why it is not known what was decided; null if it is, or nothing is decided. */
  private PoolOpenException undecided;

  /** Id of the pool with the latest view that was decided, else 0. */
  private long decidedPool;

  private ViewRecord latest;
  private boolean forced;

  /** Nothing is left of the pool in memory, but logs on disks have it. */
  private boolean isCold;

  public AttachQuorum(NodeProbe nodeProbe, WantedPool wanted) {
    this.nodeProbe = nodeProbe;
    this.wanted = wanted;
  }

  /**
   * Learns from the memory nodes which view is the latest; they have been asked what they know. If
   * that cannot be found out, there is no view to go on with, unless it is forced. If all answer
   * and none knows a decision, since their files were copied without, the headers tell.
   *
   * @throws PoolOpenException if the pool is of a version whose memory nodes did not agree, and it
   *     is not forced
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
            "no memory node that answers knows who has the pool: start all of them, with the"
                + " memory they had");
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
          "the pool was made without agreement of its memory nodes (availability=last-copy), which"
              + " this version does not have: open it once with recover=force (if it has two nodes,"
              + " with a witness=HOST:PORT, too), while all its nodes answer and nobody else has"
              + " it, or copy the data with the version that made it (nelumbo backup, nelumbo"
              + " restore)");
    }
  }

  private static void checkVoters(ViewAgreement agreement) {
    if (agreement.voters() < VOTERS_MIN) {
      throw new PoolOpenException(
          "a pool with copies needs three memory nodes, or two and a witness, most of which agree"
              + " on who has it: name a third node, or a witness (witness=HOST:PORT, started by"
              + " nelumbo memory-node --witness), or have one copy of everything (replicas=1)"
              + " voters="
              + agreement.voters());
    }
  }

  /** Returns true if the memory nodes of a pool have headers, and none of a pool with agreement. */
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
   * Whether memory nodes keep logs of the pool on disks.
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

  /** Whether it goes on with nodes that may not know the latest state. */
  public boolean isForced() {
    return forced;
  }

  /** Whether nothing of the pool is in memory, and the live nodes of the view have it in logs. */
  public boolean isCold() {
    return isCold;
  }

  /** Id of a pool that is there. */
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
   * Whether there is no pool yet: all nodes are empty, and here.
   *
   * @param agreement asked whether there is one that is in logs alone
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
   * The first view of a new pool, which is not written yet.
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

  /** Any header of the pool. */
  NodeHeader anyHeader() {
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (nodeProbe.hasPool(node)) {
        return nodeProbe.header(node);
      }
    }
    throw new IllegalStateException("there is no pool");
  }

  /** The view to go on with, which is not written yet: the next after the latest. */
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
        "recover=force: going on with memory nodes {} although {}; commits that those have not got"
            + " are lost",
        NodeBits.toString(last.liveNodes()),
        missing());
    return last;
  }

  /**
   * The view that those have in force who share the pool.
   *
   * @throws FabricException if not all of its nodes are here, as they were then
   */
  public View sharedView() {
    if (isEmpty()) {
      throw new FabricException(0, "the memory nodes have started again, and lost the pool", null);
    }
    NodeHeader any = anyHeader();
    HeaderCheck.run(nodeProbe, any, wanted.copies());
    latest = latestView();
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (undecided != null || (latest.isLive(node) && !isTrusted(node))) {
        throw new FabricException(
            node,
            "those who share the pool have memory nodes "
                + NodeBits.toString(latest.live())
                + ", of which some cannot be reached: "
                + (undecided == null ? missing() : undecided.getMessage()),
            undecided);
      }
    }
    Placement placement =
        new Placement(any.nodes(), any.copies(), any.virtualNodes(), any.slotBytes());
    return view(latest.number(), placement, latest.live());
  }

  /**
   * The view for an attach that is forced although nobody can know the latest state: of nodes that
   * were live in one view, the latest of which they have a whole copy, and of these only those that
   * have not been restarted since, if that is enough. A node that was being filled is never one of
   * them: it has parts of several states.
   *
   * @return null if no such nodes have a whole copy
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

  /** The nodes that know a view as their last one and are live in it, as bits. */
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
      throw new PoolOpenException("no memory node knows a view of the pool: it is damaged");
    }
    return found;
  }

  private long liveNodes() {
    long trusted = 0;
    long withData = 0;
    boolean allAnswer = true;
    for (int node = 0; node < nodeProbe.nodes(); node++) {
      if (latest.isLive(node)) {
        allAnswer &= nodeProbe.connection(node) != null;
        withData |= nodeProbe.hasPool(node) && !isDamaged(node) ? 1L << node : 0;
        trusted |= isTrusted(node) ? 1L << node : 0;
      }
    }
    if (trusted != 0 && decided != null) {
      return trusted;
    }
    return !allAnswer ? 0 : trusted != 0 ? trusted : withData;
  }

  /**
   * The live nodes of the latest view that are as they were; if there are none, those that have the
   * pool in their logs. Each of the live ones has all of it there.
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

  /** Returns true if pages of the node were lost while it was down: other nodes have copies. */
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
        ? "; what answers has no whole copy of the pool, so recover=force cannot help"
        : "; if they are gone for good, recover=force goes on with nodes "
            + NodeBits.toString(last.liveNodes())
            + ", and loses the commits that those have not got";
  }

  private PoolOpenException tooFew(long live, View last) {
    return new PoolOpenException(
        "too few of the memory nodes that were live in the last view ("
            + latest.number()
            + ": nodes "
            + NodeBits.toString(latest.live())
            + ") are as they were"
            + (live == 0 ? "" : ", live would be " + NodeBits.toString(live))
            + "; start those that are missing, with the memory they had: "
            + missing()
            + forcedText(last));
  }

  /** Text that names the nodes that were live and are missing or were restarted, and why. */
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
