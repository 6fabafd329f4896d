package org.nelumbo.dm.agreement;

/** Sends requests of a proposer to the acceptors. */
public interface AcceptorNetwork {
  /** Sends a request to a memory node, without waiting. It may be lost, duplicated, or delayed. */
  Pending send(int node, AgreementRequest request);

  /** A request that is in flight, or its response. */
  interface Pending {
    /** Returns the response; null if there is none yet. */
    AgreementReply poll();

    /** Returns true if no response will arrive; false does not guarantee one. */
    boolean hasFailed();

    /** Cancels the request: its response is not needed any more. */
    void cancel();
  }
}
