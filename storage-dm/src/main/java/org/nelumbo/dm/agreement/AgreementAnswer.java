package org.nelumbo.dm.agreement;

/** What an acceptor answers. */
public sealed interface AgreementAnswer {
  /**
   * What it knows: the answer to an inquiry, and to being told of a decision.
   *
   * @param decided the latest decision it has heard of, null if of none
   */
  record Known(long incarnation, Decision decided) implements AgreementAnswer {}

  /**
   * It will take no lower ballot.
   *
   * @param ballot with which it has accepted a decision
   * @param accepted that decision, null if there is none
   */
  record Promised(Ballot ballot, Decision accepted) implements AgreementAnswer {}

  /** It has accepted the decision. */
  record Accepted() implements AgreementAnswer {}

  /**
   * It has promised to take no ballot as low as that.
   *
   * @param promised the lowest it takes
   */
  record Refused(Ballot promised) implements AgreementAnswer {}

  /** It knows a decision as late as the one in question, or later. */
  record Outdated(Decision decided) implements AgreementAnswer {}

  /** It does not know the decision before the one in question. */
  record Behind() implements AgreementAnswer {}

  /**
   * It is not the acceptor that is meant: it has lost its memory, or never was.
   *
   * @param incarnation it has
   */
  record Forgotten(long incarnation) implements AgreementAnswer {}
}
