package org.nelumbo.dm.agreement;

/** What a proposer asks of an acceptor. */
public sealed interface AgreementRequest {
  /** Which decision the acceptor knows. */
  record Inquire() implements AgreementRequest {}

  /**
   * To promise that no lower ballot is taken for a decision.
   *
   * @param incarnation of the acceptor that is meant
   * @param number of the decision
   */
  record Prepare(long incarnation, long number, Ballot ballot) implements AgreementRequest {}

  /**
   * To accept a decision.
   *
   * @param incarnation of the acceptor that is meant
   */
  record Accept(long incarnation, Ballot ballot, Decision decision) implements AgreementRequest {}

  /** To know a decision that has been chosen. */
  record Learn(Decision decision) implements AgreementRequest {}
}
