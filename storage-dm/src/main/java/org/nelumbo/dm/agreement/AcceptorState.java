package org.nelumbo.dm.agreement;

/**
 * The persistent state of an acceptor.
 *
 * @param decided the latest decision it has learned, null before the first
 * @param promised the lowest ballot it accepts for the decision after that
 * @param acceptedBallot ballot of the decision that it has accepted
 * @param accepted the accepted decision, not known to be chosen; null if there is none
 */
public record AcceptorState(
    Decision decided, Ballot promised, Ballot acceptedBallot, Decision accepted) {
  /** The state of an acceptor that has received no request. */
  public static final AcceptorState EMPTY = new AcceptorState(null, Ballot.NONE, Ballot.NONE, null);

  /** Returns the number of the latest decision it has learned, 0 before the first. */
  public long decidedNumber() {
    return decided == null ? 0 : decided.number();
  }
}
