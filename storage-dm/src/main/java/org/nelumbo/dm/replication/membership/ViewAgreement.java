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
 * Agreement of a pool's memory nodes on its {@link PoolConfiguration}: which view comes next, and
 * who owns the pool. One that has been decided is known by a majority of those that decide the
 * next; so nobody who cannot reach a majority goes on, and whoever was replaced finds out before it
 * puts another view in force.
 *
 * <p>Those that decide are the memory nodes that answered before the last decision, and witnesses,
 * which have no data. Of a pool that has three or more, at least three are kept, whether all answer
 * or not. A node that has lost its memory decides again once a decision has named it. One thread at
 * a time.
 */
public final class ViewAgreement {
  /** Fewer could do without none of them. */
  private static final int ACCEPTORS_KEPT = 3;

  /** How long a majority is looked for if it is known that there may be none. */
  private static final long FORCED_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final Options options;
  private final List<String> addresses;
  private final PaxosProposer proposer;

  /** Owner of the configurations that are decided here. */
  private PoolConfiguration.Member owner;

  /** Those that have answered last, in the order of their numbers. */
  private List<AcceptorId> present = List.of();

  /**
   * Settings of the agreement.
   *
   * @param network the way to memory nodes by their numbers, and to witnesses behind them
   * @param witnesses how many there are
   * @param self incarnation of this compute node, drawn for this attach
   * @param name of this compute node, for people
   * @param answerNanos after which one that has not answered is not waited for
   * @param decisionNanos how long it is tried to have something decided
   */
  public record Options(
      AcceptorNetwork network,
      int witnesses,
      long self,
      String name,
      long answerNanos,
      long decisionNanos) {}

  /** Agreement of memory nodes with those addresses, in order. */
  public ViewAgreement(Environment environment, Options options, List<String> addresses) {
    this.environment = environment;
    this.options = options;
    this.addresses = List.copyOf(addresses);
    this.owner = new PoolConfiguration.Member(options.name(), options.self());
    this.proposer =
        new PaxosProposer(environment, options.network(), options.self(), options.answerNanos());
  }

  /** How many may decide: memory nodes and witnesses. */
  public int voters() {
    return addresses.size() + options.witnesses();
  }

  private long deadline() {
    return environment.nanoTime() + options.decisionNanos();
  }

  /**
   * Asks all memory nodes which decision they know.
   *
   * @return the latest that is known to those who answer; null if none is. There may be later ones
   */
  public PoolConfiguration inquire() {
    ask(NodeBits.all(addresses.size()));
    return known();
  }

  /** The latest configuration that this process knows, null if none. */
  public PoolConfiguration known() {
    Decision known = proposer.known();
    return known == null ? null : PoolConfiguration.decode(known.content());
  }

  /** Whether all who may decide have answered, and none knows a decision: there is none. */
  public boolean isUndecided() {
    return proposer.known() == null && present.size() == voters();
  }

  /** Number of the latest decision that this process knows, 0 if none. */
  public long number() {
    return proposer.known() == null ? 0 : proposer.known().number();
  }

  /**
   * Asks who is there, and which decision they know; waits for those whose bits are set, and for
   * witnesses.
   */
  private void ask(long awaited) {
    present =
        proposer.inquire(voters(), node -> node >= addresses.size() || NodeBits.has(awaited, node));
  }

  /** Those that are to decide what comes after a decision, or after the one that follows. */
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
   * @param isForced whether it is gone on without a majority: then one that is missing is not
   *     waited for long
   * @throws PoolOpenException if no majority answers: it says who is missing
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
        "too few of the memory nodes that decide who has the pool answer as they were: "
            + why.getMessage()
            + "; start those that are missing, with the memory they had ("
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
   * Has the first configuration decided, by all; {@link #inquire} comes before.
   *
   * @throws PoolOpenException if that cannot be, or somebody else was first
   */
  public void create(View view, long poolId, long[] incarnations) {
    PoolConfiguration wanted = configuration(view, poolId, incarnations);
    if (proposer.known() != null) {
      // Of another pool, whose memory nodes are all empty by now: a witness has not forgotten it.
      force(wanted);
      return;
    }
    for (int node = 0; node < voters(); node++) {
      if (node == present.size() || present.get(node).node() != node) {
        throw new PoolOpenException(
            "the first time all are needed that are to decide who has the pool: no answer from "
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
          "the pool has just been taken over by " + decided.owner().name() + ": try again",
          decided.owner().name(),
          false);
    }
  }

  /**
   * Has a configuration decided by which this compute node owns the pool, with a view of nodes that
   * serve nobody else.
   *
   * @param after number of the decision by which the view was chosen
   * @return false if there is a later one than that
   * @throws PoolOpenException if no majority answers
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
   * Decides for the pool's owner from now on: this compute node shares the pool with it, or with
   * others that do so. {@link #inquire} comes before.
   */
  public void joinOwner() {
    owner = known().owner();
  }

  /**
   * What is to become of one memory node in the next view of those that share the pool.
   *
   * @param after number of the view in force: with a later one nothing comes of it
   * @param isLive whether it is filled; else it is going to be
   */
  public record Admission(long after, int node, long incarnation, boolean isLive) {}

  /**
   * Has the next view of those that share the pool decided, unless a later one is.
   *
   * @param view the latest that this compute node knows
   * @param failed nodes that are left out, a bit each, and with them one that is being filled
   * @param admission if none are left out; null: nothing
   * @return what is decided, which may be what was before if there is no copy of everything
   *     elsewhere; null if somebody else owns the pool: {@link #known} says who
   * @throws NoMajorityException if no majority answers; the view may come about nevertheless
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

  /** Null: others have seen to it, or there is nothing to do, or nothing that can be done. */
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
   * Has the next view of the pool's owner decided.
   *
   * @return false if this compute node does not own the pool any more: {@link #known} says who does
   * @throws NoMajorityException if no majority answers; the view may come about nevertheless
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
   * Has those decide that are there now, such as a node that has lost its memory and is back. The
   * configuration stays as it is.
   *
   * @return false if this compute node does not own the pool any more
   * @throws NoMajorityException if no majority answers; nothing has changed then for the worse
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
   * Goes on without a majority, because somebody has said so: those that answer decide from now on.
   * The decision is later than any that the others can know.
   */
  public void force(View view, long poolId, long[] incarnations) {
    force(configuration(view, poolId, incarnations));
  }

  private void force(PoolConfiguration wanted) {
    ask(NodeBits.all(addresses.size()));
    if (present.isEmpty()) {
      throw new PoolOpenException("no memory node answers");
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
