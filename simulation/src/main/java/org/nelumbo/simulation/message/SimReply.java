package org.nelumbo.simulation.message;

import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementAnswer;

/** Answer of an acceptor that is on its way, or never comes. */
public final class SimReply implements AcceptorNetwork.Pending {
  private AgreementAnswer answer;
  private boolean failed;

  /** The answer is there. */
  public void come(AgreementAnswer it) {
    answer = it;
  }

  /** It is known that none will come. */
  public void fail() {
    failed = true;
  }

  @Override
  public AgreementAnswer poll() {
    return answer;
  }

  @Override
  public boolean hasFailed() {
    return failed;
  }

  @Override
  public void cancel() {
    // An answer that comes later is not looked at.
  }
}
