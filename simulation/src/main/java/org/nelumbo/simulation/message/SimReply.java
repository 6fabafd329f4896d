package org.nelumbo.simulation.message;

import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementReply;

/** A reply of an acceptor that is under way or never arrives. */
public final class SimReply implements AcceptorNetwork.Pending {
  private AgreementReply reply;
  private boolean failed;

  /** Sets the reply, which has arrived. */
  public void come(AgreementReply it) {
    reply = it;
  }

  /** Marks the request as failed: no reply will arrive. */
  public void fail() {
    failed = true;
  }

  @Override
  public AgreementReply poll() {
    return reply;
  }

  @Override
  public boolean hasFailed() {
    return failed;
  }

  @Override
  public void cancel() {
    // A later reply is ignored.
  }
}
