package org.nelumbo.dm.agreement;

/** The response of an acceptor. */
public sealed interface AgreementReply {
  /**
   * The latest decision that the acceptor has learned: the response to {@link
   * AgreementRequest.Inquire} and {@link AgreementRequest.Learn}.
   *
   * @param decided the latest decision it has learned, null if none
   */
  record Known(long incarnation, Decision decided) implements AgreementReply {}

  /**
   * The acceptor promises to accept no lower ballot.
   *
   * @param ballot ballot of the decision that it has accepted
   * @param accepted that decision, null if there is none
   */
  record Promised(Ballot ballot, Decision accepted) implements AgreementReply {}

  /** The acceptor has accepted the decision. */
  record Accepted() implements AgreementReply {}

  /**
   * The acceptor refuses, because it has promised a higher ballot.
   *
   * @param promised the lowest ballot it accepts
   */
  record Refused(Ballot promised) implements AgreementReply {}

  /** The acceptor has learned the decision with the number in question, or a later one. */
  record Outdated(Decision decided) implements AgreementReply {}

  /** The acceptor has not learned the decision before the one in question. */
  record Behind() implements AgreementReply {}

  /**
   * The node is not the acceptor that the request is for: it has lost its state, or never was that
   * acceptor.
   *
   * @param incarnation its current incarnation
   */
  record Forgotten(long incarnation) implements AgreementReply {}
}
