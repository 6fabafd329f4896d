package org.nelumbo.dm.agreement;

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

/**
 * An acceptor of Paxos: stores its promises and the accepted decision, and responds to requests. It
 * takes no action by itself, and never responds before its state is stored. One thread at a time.
 */
public final class PaxosAcceptor {
  private final AcceptorId id;
  private final AcceptorStore store;
  private AcceptorState state;

  public PaxosAcceptor(AcceptorId id, AcceptorStore store) {
    this.id = id;
    this.store = store;
    this.state = store.load();
  }

  /** Returns the stored state. */
  public AcceptorState state() {
    return state;
  }

  public AgreementReply reply(AgreementRequest request) {
    return switch (request) {
      case Inquire _ -> known();
      case Learn learn -> learn(learn.decision());
      case Prepare prepare -> {
        AgreementReply objection = objection(prepare.incarnation(), prepare.number());
        yield objection != null ? objection : prepare(prepare.ballot());
      }
      case Accept accept -> {
        AgreementReply objection = objection(accept.incarnation(), accept.decision().number());
        yield objection != null ? objection : accept(accept.ballot(), accept.decision());
      }
    };
  }

  private AgreementReply known() {
    return new Known(id.incarnation(), state.decided());
  }

  private AgreementReply learn(Decision decision) {
    if (decision.number() > state.decidedNumber()) {
      put(new AcceptorState(decision, Ballot.NONE, Ballot.NONE, null));
    }
    return known();
  }

  private AgreementReply objection(long incarnation, long number) {
    if (isDecided(number)) {
      return new Outdated(state.decided());
    }
    if (!isMe(incarnation)) {
      return new Forgotten(id.incarnation());
    }
    if (state.decidedNumber() < number - 1) {
      return new Behind();
    }
    return null;
  }

  private boolean isDecided(long number) {
    return state.decidedNumber() >= number;
  }

  private boolean isMe(long incarnation) {
    return incarnation == id.incarnation();
  }

  private AgreementReply prepare(Ballot ballot) {
    if (ballot.compareTo(state.promised()) < 0) {
      return new Refused(state.promised());
    }
    promise(ballot);
    return new Promised(state.acceptedBallot(), state.accepted());
  }

  private void promise(Ballot ballot) {
    put(new AcceptorState(state.decided(), ballot, state.acceptedBallot(), state.accepted()));
  }

  private AgreementReply accept(Ballot ballot, Decision decision) {
    if (ballot.compareTo(state.promised()) < 0) {
      return new Refused(state.promised());
    }
    put(new AcceptorState(state.decided(), ballot, ballot, decision));
    return new Accepted();
  }

  private void put(AcceptorState newState) {
    store.store(newState);
    state = newState;
  }
}
