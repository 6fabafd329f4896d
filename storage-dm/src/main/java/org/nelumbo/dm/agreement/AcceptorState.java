package org.nelumbo.dm.agreement;

/**
 * What an acceptor has to remember.
 *
 * @param decided the latest decision it has heard of, null before the first
 * @param promised no lower ballot is taken for the decision after that
 * @param acceptedBallot with which it has accepted one
 * @param accepted the decision accepted, not known to be chosen; null if there is none
 */
public record AcceptorState(
    Decision decided, Ballot promised, Ballot acceptedBallot, Decision accepted) {
  /** Of an acceptor that nobody has spoken to. */
  public static final AcceptorState EMPTY = new AcceptorState(null, Ballot.NONE, Ballot.NONE, null);

  /** Number of the latest decision it has heard of, 0 before the first. */
  public long decidedNumber() {
    return decided == null ? 0 : decided.number();
  }
}
