package org.nelumbo.dm.agreement;

/** A request of a proposer to an acceptor. */
public sealed interface AgreementRequest {
  /** Requests the latest decision that the acceptor has learned. */
  record Inquire() implements AgreementRequest {}

  /**
   * Requests a promise to accept no lower ballot for a decision.
   *
   * @param incarnation incarnation of the acceptor
   * @param number number of the decision
   */
  record Prepare(long incarnation, long number, Ballot ballot) implements AgreementRequest {}

  /**
   * Requests the acceptance of a decision.
   *
   * @param incarnation incarnation of the acceptor
   */
  record Accept(long incarnation, Ballot ballot, Decision decision) implements AgreementRequest {}

  /** Informs the acceptor of a decision that has been chosen. */
  record Learn(Decision decision) implements AgreementRequest {}
}
