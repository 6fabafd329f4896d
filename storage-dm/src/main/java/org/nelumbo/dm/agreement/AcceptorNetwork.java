package org.nelumbo.dm.agreement;

/** Way of a proposer to the acceptors. */
public interface AcceptorNetwork {
  /** Sends a request to a memory node, and does not wait. It may be lost, doubled, or late. */
  Pending send(int node, AgreementRequest request);

  /** Request that is on its way, or its answer. */
  interface Pending {
    /** The answer; null if there is none so far. */
    AgreementAnswer poll();

    /** Whether none will come; may never be known. */
    boolean hasFailed();

    /** The answer is not wanted any more. */
    void cancel();
  }
}
