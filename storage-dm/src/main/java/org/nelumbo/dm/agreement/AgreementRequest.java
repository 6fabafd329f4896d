package org.nelumbo.dm.agreement;

/** A request of a proposer to an acceptor. */
public sealed interface AgreementRequest {
  /** Asks for the decision that the acceptor knows. */
  record Inquire() implements AgreementRequest {}

  /**
   * Asks the acceptor to promise that it accepts no lower ballot for a decision.
   *
   * @param incarnation incarnation of the acceptor
   * @param number number of the decision
   */
  record Prepare(long incarnation, long number, Ballot ballot) implements AgreementRequest {}

  /**
   * Asks the acceptor to accept a decision.
   *
   * @param incarnation incarnation of the acceptor
   */
  record Accept(long incarnation, Ballot ballot, Decision decision) implements AgreementRequest {}

  /** Informs the acceptor of a decision that has been chosen. */
  record Learn(Decision decision) implements AgreementRequest {}
}
