package org.nelumbo.dm.replication.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.agreement.PaxosProposer;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.PoolConfiguration;
import org.nelumbo.dm.replication.view.View;
import org.nelumbo.dm.replication.view.ViewRecord;

/**
 * Agreement of a pool's memory nodes on its {@link PoolConfiguration}: the next view, and the owner
 * of the pool. A majority of the acceptors of the next decision has the latest one. So a compute
 * node that cannot reach a majority does not continue, and one that was replaced detects this
 * before it puts another view in force.
 *
 * <p>Acceptors are the memory nodes that responded before the last decision, and witnesses, which
 * hold no data. A pool with three or more voters keeps at least three acceptors, whether all
 * respond or not. A node that has lost its memory votes again after a decision has named it.
 * Confined to one thread at a time.
 */
public final class ViewAgreement {
  /** Minimum number of acceptors to keep. A smaller set could not do without any of its members. */
  private static final int ACCEPTORS_KEPT = 3;

  /** Time to look for a majority if it is known that there may be none. */
  private static final long FORCED_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final Options options;
  private final List<String> addresses;
  private final PaxosProposer proposer;

  private PoolConfiguration.Member owner;

  /** Acceptors that have responded last, in the order of their numbers. */
  private List<AcceptorId> present = List.of();

  /**
   * Settings of the agreement.
   *
   * @param network connection to memory nodes by their numbers, and to witnesses behind them
   * @param witnesses number of witnesses
   * @param self incarnation of this compute node, drawn for this attach
   * @param name name of this compute node for display
   * @param replyNanos time to wait for a response
   * @param decisionNanos time limit for a decision
   */
  public record Options(
      AcceptorNetwork network,
      int witnesses,
      long self,
      String name,
      long replyNanos,
      long decisionNanos) {}

  /** Creates the agreement of the memory nodes with these addresses, in order. */
  public ViewAgreement(Environment environment, Options options, List<String> addresses) {
    this.environment = environment;
    this.options = options;
    this.addresses = List.copyOf(addresses);
    this.owner = new PoolConfiguration.Member(options.name(), options.self());
    this.proposer =
        new PaxosProposer(environment, options.network(), options.self(), options.replyNanos());
  }

  /** Returns the number of voters: memory nodes and witnesses. */
  public int voters() {
    return addresses.size() + options.witnesses();
  }

  private long deadline() {
    return environment.nanoTime() + options.decisionNanos();
  }

  /**
   * Reads the latest decision of each memory node.
   *
   * @return the latest one known to the responding nodes, or null if there is none; there may be
   *     later ones
   */
  public PoolConfiguration inquire() {
    ask(NodeBits.all(addresses.size()));
    return known();
  }

  /** Returns the latest configuration known to this process, or null if there is none. */
  public PoolConfiguration known() {
    Decision known = proposer.known();
    return known == null ? null : PoolConfiguration.decode(known.content());
  }

  /** Returns true if all voters have responded and none has a decision, so that there is none. */
  public boolean isUndecided() {
    return proposer.known() == null && present.size() == voters();
  }

  /** Returns the number of the latest decision known to this process, or 0 if there is none. */
  public long number() {
    return proposer.known() == null ? 0 : proposer.known().number();
  }

  /** Waits for witnesses and for the nodes whose bits are set. */
  private void ask(long awaited) {
    present =
        proposer.inquire(voters(), node -> node >= addresses.size() || NodeBits.has(awaited, node));
  }

  /**
   * Returns the acceptors that the decision after {@code before} names: those present, and previous
   * ones up to the minimum.
   */
  private List<AcceptorId> acceptors(Decision before) {
    List<AcceptorId> next = new ArrayList<>(present);
    for (AcceptorId each : before.acceptors()) {
      boolean isThere = next.stream().anyMatch(other -> other.node() == each.node());
      if (next.size() < ACCEPTORS_KEPT && !isThere) {
        next.add(each);
      }
    }
    return next;
  }

  /**
   * Reads the latest configuration; {@link #inquire} comes before.
   *
   * @param isForced true if the attach can continue without a majority; then the wait for missing
   *     nodes is short
   * @throws PoolOpenException if no majority responds; the message names the missing nodes
   */
  public PoolConfiguration latest(boolean isForced) {
    long nanos =
        isForced ? Math.min(FORCED_NANOS, options.decisionNanos()) : options.decisionNanos();
    try {
      return PoolConfiguration.decode(proposer.latest(environment.nanoTime() + nanos).content());
    } catch (NoMajorityException e) {
      throw tooFew(e);
    }
  }

  private PoolOpenException tooFew(NoMajorityException why) {
    return new PoolOpenException(
        "too few of the memory nodes that decide on the owner of the pool respond with"
            + " their previous memory: "
            + why.getMessage()
            + "; start the missing ones with their previous memory ("
            + names()
            + ")",
        why);
  }

  private String names() {
    StringBuilder names = new StringBuilder();
    for (int node = 0; node < voters(); node++) {
      names.append(node == 0 ? "" : ", ").append("node ").append(node);
      names.append(node < addresses.size() ? " at " + addresses.get(node) : " is a witness");
    }
    return names.toString();
  }

  /**
   * Obtains a decision of all voters on the first configuration; {@link #inquire} comes before.
   *
   * @throws PoolOpenException if a voter is missing, or another compute node was first
   */
  public void create(View view, long poolId, long[] incarnations) {
    PoolConfiguration wanted = configuration(view, poolId, incarnations);
    if (proposer.known() != null) {
      // A decision of another pool, whose memory nodes are all empty now. A witness still has it.
      force(wanted);
      return;
    }
    for (int node = 0; node < voters(); node++) {
      if (node == present.size() || present.get(node).node() != node) {
        throw new PoolOpenException(
            "the first decision on the owner of the pool needs all voters: no response from "
                + (node < addresses.size()
                    ? "memory node " + node + " at " + addresses.get(node)
                    : "witness " + (node - addresses.size())));
      }
    }
    try {
      checkOwn(proposer.first(present, wanted.encode(), deadline()));
    } catch (NoMajorityException e) {
      throw tooFew(e);
    }
  }

  private PoolConfiguration configuration(View view, long poolId, long[] incarnations) {
    return PoolConfiguration.of(poolId, view, incarnations, addresses, owner);
  }

  private boolean isOwn(PoolConfiguration configuration) {
    return configuration.owner().incarnation() == owner.incarnation();
  }

  private void checkOwn(Decision decision) {
    PoolConfiguration decided = PoolConfiguration.decode(decision.content());
    if (!isOwn(decided)) {
      throw new PoolInUseException(
          "the pool was just attached by " + decided.owner().name() + ": try again",
          decided.owner().name(),
          false);
    }
  }

  /**
   * Obtains a decision on a configuration that makes this compute node the owner of the pool, with
   * a view of nodes that serve no other one.
   *
   * @param after number of the decision on which the choice of the view is based
   * @return false if there is a later decision
   * @throws PoolOpenException if no majority responds
   */
  public boolean takeOver(View view, long poolId, long[] incarnations, long after) {
    PoolConfiguration wanted = configuration(view, poolId, incarnations);
    try {
      Decision done =
          proposer.change(
              before -> before.number() == after ? next(before, wanted) : null, deadline());
      return isOwn(PoolConfiguration.decode(done.content()));
    } catch (NoMajorityException e) {
      throw tooFew(e);
    }
  }

  private Decision next(Decision before, PoolConfiguration wanted) {
    return before.next(acceptors(before), wanted.encode());
  }

  /**
   * Makes later decisions on behalf of the pool's owner, with which this compute node shares the
   * pool, directly or through other compute nodes. {@link #inquire} comes before.
   */
  public void joinOwner() {
    owner = known().owner();
  }

  /**
   * A requested change of one memory node in the next view of a shared pool.
   *
   * @param after number of the view in force; the request is void in a later view
   * @param isLive true if the node becomes live, false if it is to be filled
   */
  public record Admission(long after, int node, long incarnation, boolean isLive) {}

  /**
   * Obtains a decision on the next view of a shared pool, unless a later one is decided already.
   *
   * @param view latest view of this compute node
   * @param failed nodes to exclude, one bit per node; a node that is being filled is excluded with
   *     them
   * @param admission change to make if no node is excluded, or null
   * @return the decided configuration; the previous one if no other nodes have a copy of
   *     everything; null if another compute node owns the pool, which {@link #known} names
   * @throws NoMajorityException if no majority responds; the view may be decided nevertheless
   */
  PoolConfiguration decideNext(View view, long failed, Admission admission)
      throws NoMajorityException {
    ask((connected(view) | (admission == null ? 0 : 1L << admission.node())) & ~failed);
    UnaryOperator<Decision> change =
        before -> {
          PoolConfiguration now = PoolConfiguration.decode(before.content());
          PoolConfiguration next = isOwn(now) ? next(view, now, failed, admission) : null;
          return next == null ? null : before.next(acceptors(before), next.encode());
        };
    PoolConfiguration decided =
        PoolConfiguration.decode(proposer.change(change, deadline()).content());
    return isOwn(decided) ? decided : null;
  }

  /** Returns null if the change is made already, or is void, or is impossible. */
  private static PoolConfiguration next(
      View view, PoolConfiguration now, long failed, Admission admission) {
    long number = Math.max(now.view(), view.number()) + 1;
    long live = now.record().live();
    long filling = now.filling() < 0 ? 0 : 1L << now.filling();
    if (((live | filling) & failed) != 0) {
      PoolConfiguration next = now.without(number, failed);
      return isWhole(view.placement(), next.record().live()) ? next : null;
    }
    boolean isTimely = failed == 0 && admission != null && now.view() == admission.after();
    return isTimely
        ? now.with(number, admission.node(), admission.incarnation(), admission.isLive())
        : null;
  }

  private static boolean isWhole(Placement placement, long live) {
    for (int logical = 0; logical < placement.logicals(); logical++) {
      boolean isAny = false;
      for (int copy = 0; copy < placement.copies(); copy++) {
        isAny |= NodeBits.has(live, placement.node(logical, copy));
      }
      if (!isAny) {
        return false;
      }
    }
    return true;
  }

  /**
   * Obtains a decision on the next view of the pool's owner.
   *
   * @return false if this compute node no longer owns the pool; {@link #known} names the owner
   * @throws NoMajorityException if no majority responds; the view may be decided nevertheless
   */
  public boolean decide(View view, long poolId, long[] incarnations) throws NoMajorityException {
    PoolConfiguration wanted = configuration(view, poolId, incarnations);
    ask(connected(view));
    UnaryOperator<Decision> change =
        before -> {
          PoolConfiguration now = PoolConfiguration.decode(before.content());
          return isOwn(now) && now.view() < wanted.view() ? next(before, wanted) : null;
        };
    PoolConfiguration decided =
        PoolConfiguration.decode(proposer.change(change, deadline()).content());
    return isOwn(decided) && decided.view() == wanted.view();
  }

  private static long connected(View view) {
    long bits = 0;
    for (int node = 0; node < view.placement().nodes(); node++) {
      bits |= view.connection(node) == null ? 0 : 1L << node;
    }
    return bits;
  }

  /**
   * Makes the nodes that are present now the acceptors, including one that has returned without its
   * memory. The configuration stays the same.
   *
   * @return false if this compute node no longer owns the pool
   * @throws NoMajorityException if no majority responds; the configuration stays the same in any
   *     case
   */
  public boolean renew(View view) throws NoMajorityException {
    ask(connected(view));
    UnaryOperator<Decision> change =
        before -> {
          PoolConfiguration now = PoolConfiguration.decode(before.content());
          List<AcceptorId> next = acceptors(before);
          boolean isNeeded = isOwn(now) && !next.equals(before.acceptors());
          return isNeeded ? before.next(next, before.content()) : null;
        };
    return isOwn(PoolConfiguration.decode(proposer.change(change, deadline()).content()));
  }

  /**
   * Continues without a majority, on the user's request. The nodes that respond are the acceptors
   * from now on. The decision has a higher number than any that the other nodes can have.
   */
  public void force(View view, long poolId, long[] incarnations) {
    force(configuration(view, poolId, incarnations));
  }

  private void force(PoolConfiguration wanted) {
    ask(NodeBits.all(addresses.size()));
    if (present.isEmpty()) {
      throw new PoolOpenException("no memory node responds");
    }
    long number = ViewRecord.forcedNumber(number());
    Decision forced = new Decision(number, present, wanted.encode());
    proposer.learn(forced);
    for (AcceptorId each : present) {
      options.network().send(each.node(), new AgreementRequest.Learn(forced));
    }
    try {
      proposer.change(before -> next(before, wanted), deadline());
    } catch (NoMajorityException e) {
      throw tooFew(e);
    }
  }
}
