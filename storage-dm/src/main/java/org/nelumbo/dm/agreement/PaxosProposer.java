package org.nelumbo.dm.agreement;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.nelumbo.dm.agreement.AgreementReply.Accepted;
import org.nelumbo.dm.agreement.AgreementReply.Behind;
import org.nelumbo.dm.agreement.AgreementReply.Forgotten;
import org.nelumbo.dm.agreement.AgreementReply.Known;
import org.nelumbo.dm.agreement.AgreementReply.Outdated;
import org.nelumbo.dm.agreement.AgreementReply.Promised;
import org.nelumbo.dm.agreement.AgreementReply.Refused;
import org.nelumbo.dm.agreement.AgreementRequest.Accept;
import org.nelumbo.dm.agreement.AgreementRequest.Inquire;
import org.nelumbo.dm.agreement.AgreementRequest.Learn;
import org.nelumbo.dm.agreement.AgreementRequest.Prepare;
import org.nelumbo.dm.env.Environment;

/**
 * A proposer of Paxos: reads the latest decision, and has the next one chosen. A change without a
 * competing proposer takes two round trips to a majority; then the acceptors are informed. One
 * thread at a time.
 */
public final class PaxosProposer {
  private final Environment environment;
  private final AcceptorNetwork network;
  private final long id;
  private final long replyNanos;
  private Decision known;
  private long round;

  /**
   * Creates a proposer.
   *
   * @param id unique id of this proposer, which was never used before
   * @param replyNanos timeout for the response of an acceptor
   */
  public PaxosProposer(Environment environment, AcceptorNetwork network, long id, long replyNanos) {
    this.environment = environment;
    this.network = network;
    this.id = id;
    this.replyNanos = replyNanos;
  }

  /**
   * Returns the latest decision this proposer has learned, null if none; there may be later ones.
   */
  public Decision known() {
    return known;
  }

  /** Learns a decision that has been chosen. */
  public void learn(Decision decision) {
    if (known == null || decision.number() > known.number()) {
      known = decision;
    }
  }

  /**
   * Requests their identities and their latest decisions from the memory nodes; the latest of these
   * becomes {@link #known}.
   *
   * @param nodes number of memory nodes; they are numbered from 0
   * @param isAwaited returns true for nodes whose response is waited for; all nodes receive the
   *     request
   * @return the nodes that have responded, in order
   */
  public List<AcceptorId> inquire(int nodes, IntPredicate isAwaited) {
    List<Question> questions = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      Question question = new Question(node, new Inquire());
      question.isAwaited = isAwaited.test(node);
      questions.add(question);
    }
    ask(questions, null, new Tally(nodes));
    return questions.stream().map(each -> each.answerer).filter(Objects::nonNull).toList();
  }

  /**
   * Has the first decision chosen, which all of its acceptors must accept.
   *
   * @return the chosen decision; a different one if another proposer was first
   */
  public Decision first(List<AcceptorId> acceptors, byte[] content, long deadlineNanos)
      throws NoMajorityException {
    Decision before = Decision.beforeAll(acceptors);
    Decision wanted = before.next(acceptors, content);
    while (known == null) {
      Decision chosen = choose(before, _ -> wanted, deadlineNanos);
      if (chosen != null && chosen.number() == 0) {
        before = chosen;
      }
    }
    return known;
  }

  /**
   * Has a change of the latest decision chosen.
   *
   * @param change returns the decision after a given one, with the next number; null if no change
   *     is needed. It may be called again for later decisions, also for one that already contains
   *     the change
   * @return the latest decision: the changed one, or one that needs no change
   * @throws NoMajorityException if the deadline has passed; the change may nevertheless be chosen
   */
  public Decision change(UnaryOperator<Decision> change, long deadlineNanos)
      throws NoMajorityException {
    Objects.requireNonNull(known, "no decision is known");
    while (true) {
      Decision done = choose(known, change, deadlineNanos);
      if (done != null) {
        return done;
      }
    }
  }

  /** Returns the latest decision: none had been chosen after it when this was called. */
  public Decision latest(long deadlineNanos) throws NoMajorityException {
    return change(_ -> null, deadlineNanos);
  }

  /**
   * Tries to have one decision chosen, with the number that follows {@code before}.
   *
   * @return the decision of the caller, or one that needs no change; null if the caller must try
   *     again after {@link #known}; a decision with number 0: try again after that one
   */
  private Decision choose(Decision before, UnaryOperator<Decision> change, long deadlineNanos)
      throws NoMajorityException {
    long number = before.number() + 1;
    for (int attempt = 0; ; attempt++) {
      Ballot ballot = new Ballot(++round, id);
      Tally promises = ask(before, each -> new Prepare(each.incarnation(), number, ballot));
      if (isKnown(number)) {
        return null;
      }
      if (promises.isEnough()) {
        Decision found = promises.accepted;
        if (found != null && number == 1 && !found.acceptors().equals(before.acceptors())) {
          return Decision.beforeAll(found.acceptors());
        }
        Decision proposal = found != null ? found : change.apply(before);
        if (proposal == null) {
          return before;
        }
        assert proposal.number() == number : proposal + " after " + before;
        Tally votes = ask(before, each -> new Accept(each.incarnation(), ballot, proposal));
        if (votes.isEnough()) {
          learn(proposal);
          tell(before, proposal, deadlineNanos);
          return found == null ? proposal : null;
        }
        promises = votes;
      }
      if (isKnown(number)) {
        return null;
      }
      round = Math.max(round, promises.highestRound);
      if (environment.nanoTime() - deadlineNanos >= 0) {
        throw new NoMajorityException(
            "decision "
                + number
                + " is not chosen: "
                + promises.count
                + " of the "
                + before.quorum()
                + " required memory nodes have accepted it, of "
                + before.acceptors().size()
                + promises.objections);
      }
      environment.backoff(Math.min(attempt + 4, 16));
    }
  }

  private boolean isKnown(long number) {
    return known != null && known.number() >= number;
  }

  /**
   * Sends a chosen decision to all nodes that it concerns. It is in force when a majority of its
   * own acceptors know it: then the acceptors that have chosen it may leave.
   */
  private void tell(Decision before, Decision chosen, long deadlineNanos)
      throws NoMajorityException {
    Set<Integer> others = new LinkedHashSet<>();
    before.acceptors().forEach(each -> others.add(each.node()));
    chosen.acceptors().forEach(each -> others.remove(each.node()));
    others.forEach(node -> network.send(node, new Learn(chosen)).cancel());
    for (int attempt = 0; ; attempt++) {
      Tally learnt = new Tally(chosen.quorum());
      List<Question> questions = new ArrayList<>();
      chosen
          .acceptors()
          .forEach(each -> questions.add(new Question(each.node(), new Learn(chosen))));
      ask(questions, chosen, learnt);
      if (learnt.isEnough() || isKnown(chosen.number() + 1)) {
        return;
      }
      if (environment.nanoTime() - deadlineNanos >= 0) {
        throw new NoMajorityException(
            chosen
                + " is chosen, but too few of its memory nodes have learnt it"
                + learnt.objections);
      }
      environment.backoff(Math.min(attempt + 4, 16));
    }
  }

  private Tally ask(Decision before, Function<AcceptorId, AgreementRequest> request) {
    List<Question> questions = new ArrayList<>();
    for (AcceptorId each : before.acceptors()) {
      questions.add(new Question(each.node(), request.apply(each)));
    }
    Tally tally = new Tally(before.quorum());
    ask(questions, before, tally);
    return tally;
  }

  /**
   * Sends the requests and waits until enough acceptors have agreed, a later decision is known, or
   * no more responses are expected.
   */
  private void ask(List<Question> questions, Decision before, Tally tally) {
    long start = environment.nanoTime();
    questions.forEach(each -> each.pending = network.send(each.node, each.request));
    for (int attempt = 0; ; attempt++) {
      boolean open = false;
      for (Question each : questions) {
        if (each.pending != null) {
          look(each, before, tally);
          open |= each.pending != null && each.isAwaited;
        }
      }
      boolean late = environment.nanoTime() - start > replyNanos;
      if (!open || late || tally.isEnough() || isKnownAfter(before)) {
        break;
      }
      environment.backoff(attempt);
    }
    for (Question each : questions) {
      if (each.pending != null) {
        each.pending.cancel();
        tally.object(each.node, "no response");
      }
    }
  }

  private boolean isKnownAfter(Decision before) {
    return before != null && isKnown(before.number() + 1);
  }

  private void look(Question question, Decision before, Tally tally) {
    AgreementReply reply = question.pending.poll();
    if (reply == null) {
      if (question.pending.hasFailed()) {
        question.pending = null;
        tally.object(question.node, "cannot be reached");
      }
      return;
    }
    question.pending = null;
    switch (reply) {
      case Known found -> {
        question.answerer = new AcceptorId(question.node, found.incarnation());
        if (found.decided() != null) {
          learn(found.decided());
        }
        if (question.isTaught) {
          question.isTaught = false;
          question.pending = network.send(question.node, question.request);
        } else {
          tally.count++;
        }
      }
      case Promised promise -> tally.addPromise(promise);
      case Accepted _ -> tally.count++;
      case Refused refusal -> {
        tally.highestRound = Math.max(tally.highestRound, refusal.promised().round());
        tally.object(question.node, "has promised " + refusal.promised());
      }
      case Outdated later -> learn(later.decided());
      case Behind _ -> {
        if (before != null && before.number() > 0) {
          question.isTaught = true;
          question.pending = network.send(question.node, new Learn(before));
        }
      }
      case Forgotten forgotten ->
          tally.object(
              question.node,
              "has lost its memory and now has incarnation "
                  + Long.toHexString(forgotten.incarnation()));
    }
  }

  private static final class Question {
    final int node;
    final AgreementRequest request;
    AcceptorNetwork.Pending pending;
    boolean isAwaited = true;

    AcceptorId answerer;

    /** True while the node is informed of a decision, before the request is repeated. */
    boolean isTaught;

    Question(int node, AgreementRequest request) {
      this.node = node;
      this.request = request;
    }
  }

  private static final class Tally {
    final int needed;
    final StringBuilder objections = new StringBuilder();
    int count;
    long highestRound;
    Ballot acceptedBallot = Ballot.NONE;
    Decision accepted;

    Tally(int needed) {
      this.needed = needed;
    }

    boolean isEnough() {
      return count >= needed;
    }

    void addPromise(Promised promise) {
      count++;
      if (promise.accepted() != null && promise.ballot().compareTo(acceptedBallot) > 0) {
        acceptedBallot = promise.ballot();
        accepted = promise.accepted();
      }
    }

    void object(int node, String why) {
      objections.append("; node ").append(node).append(' ').append(why);
    }
  }
}
